import type { Analysis } from '../interpret/analysis.ts'
import { literal } from '../interpret/arguments.ts'
import { runCode } from '../interpret/shells.ts'
import type { ProgramCall } from '../program-call.ts'

/** Runs commands in settings: `git -c core.pager='…' log`. The environment is read where a variable is set. */
export function runEnvironmentCode(call: ProgramCall, analysis: Analysis): void {
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

function run(text: string, from: number, { frame }: ProgramCall, analysis: Analysis, via: string): void {
  if (/^\0*$/.test(text) || text === 'true' || text === 'false') return
  const command = via === 'git -c' && /^\w[\w-]*$/.test(text) ? `git ${text}` : text
  runCode(command, from, literal(command, frame.span), { ...frame, env: new Map(), via: [...frame.via, via] }, analysis)
}
