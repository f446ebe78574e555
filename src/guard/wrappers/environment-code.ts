import type { Analysis } from '../interpret/analysis.ts'
import { literal } from '../interpret/arguments.ts'
import { runCode } from '../interpret/shells.ts'
import { messageOf } from '../message.ts'
import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'

// Variables whose values programs run as commands.
const commandVariables = new Set(
  list(
    'GIT_SSH_COMMAND GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE PROMPT_COMMAND BASH_ENV',
  ),
)

/** Runs commands in the environment or in settings: `PAGER='rm -rf /' git log`, `git -c core.pager='…' log`. */
export function runEnvironmentCode(call: ProgramCall, analysis: Analysis): void {
  reportPreload(call, analysis)
  for (const [name, { text, from }] of call.frame.env) {
    if (!commandVariables.has(name) || text === '') continue
    run(text, from, call, analysis, name)
  }
  if (call.program !== 'git') return
  for (const setting of call.values('-c', '--config-env')) {
    const match =
      /^(core\.(pager|editor|sshcommand|fsmonitor|askpass)|pager\.\w+|alias\.\w+|diff\.external|sequence\.editor|credential\.helper|(diff|difftool|mergetool|filter)\..*\.(cmd|command|clean|smudge|process|textconv))=(.*)$/is.exec(
        setting.value,
      )
    const value = match?.at(-1)
    if (match && value)
      run(
        value.replace(/^!/, match[1]?.startsWith('alias') && !value.startsWith('!') ? 'git ' : ''),
        setting.from,
        call,
        analysis,
        'git -c',
      )
  }
}

/** A preloaded library runs inside the program. */
function reportPreload({ frame }: ProgramCall, analysis: Analysis): void {
  for (const name of ['LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'LD_AUDIT']) {
    const library = frame.env.get(name)?.text
    if (!library || /\b(libjemalloc|libtcmalloc|libfaketime|libasan|libeatmydata)/.test(library)) continue
    analysis.report({
      rule: 'system/preload',
      ...messageOf('loads {library} into the program, where it can do anything', {
        library: library.replaceAll('\0', '…'),
      }),
      span: frame.span,
      verdict: 'ask',
      severity: 'high',
      safer: null,
    })
  }
}

function run(text: string, from: number, { frame }: ProgramCall, analysis: Analysis, via: string): void {
  if (/^\0*$/.test(text) || text === 'true' || text === 'false') return
  const command = via === 'git -c' && /^\w[\w-]*$/.test(text) ? `git ${text}` : text
  runCode(command, from, literal(command, frame.span), { ...frame, env: new Map(), via: [...frame.via, via] }, analysis)
}
