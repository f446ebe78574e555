import type { Analysis } from '../interpret/analysis.ts'
import { literal, texts } from '../interpret/arguments.ts'
import { runCode } from '../interpret/shells.ts'
import type { ProgramCall } from '../program-call.ts'
import { remoteKey } from '../rules/git/launching.ts'
import { commandsInVariables, runsProgram, settingsOf, variable } from '../rules/git/settings.ts'

/** Runs what git would run: commands in settings, in variables and in options, and those in place of a connection. */
export function runGitCommands(call: ProgramCall, analysis: Analysis): void {
  rememberRemote(call)
  for (const { key, value, from } of settingsOf(call)) {
    const command = commandOf(key, value, call)
    if (command !== null) run(command, from, 'git -c')
  }
  for (const command of commandsInVariables(call)) run(command, 0, 'git')
  for (const command of commandsInArguments(call)) run(command, 0, 'git')
  for (const trace of ['GIT_TRACE', 'GIT_TRACE_PACKET', 'GIT_TRACE2', 'GIT_TRACE_CURL']) {
    const file = variable(call, trace)
    if (file?.startsWith('/'))
      analysis.runProgram([literal('>>', call.frame.span), literal(file, call.frame.span)], call.frame)
  }

  function run(command: string, from: number, via: string): void {
    if (/^\0*$/.test(command) || /^(?:true|false)$/.test(command)) return
    const frame = { ...call.frame, env: new Map(), via: [...call.frame.via, via], isEscape: true }
    runCode(command, from, literal(command, call.frame.span), frame, analysis)
  }
}

/** The shell code of a setting; null if git does not run it. */
function commandOf(key: string, value: string, call: ProgramCall): string | null {
  if (/^alias\./i.test(key)) {
    if (value.startsWith('!')) return value.slice(1)
    const rest = key.slice('alias.'.length) === call.operands[0]?.value ? texts(call.after(1)) : []
    return `git ${value} ${rest.map(text => `'${text.replaceAll("'", `'\\''`)}'`).join(' ')}`
  }
  if (!runsProgram(key)) return null
  if (/^credential\./i.test(key)) return value.startsWith('!') ? value.slice(1) : value.startsWith('/') ? value : null
  if (/^submodule\./i.test(key)) return value.startsWith('!') ? value.slice(1) : null
  if (/^sendemail\..*smtpserver$/i.test(key)) return value.startsWith('/') ? value : null
  return value
}

/** `git grep -Opager`, `ext::command`, `git send-email --to-cmd=command`. */
function commandsInArguments(call: ProgramCall): string[] {
  const transports = call.operands.flatMap(({ value }) => {
    const code = /^ext::(.*)$/s.exec(value)?.[1]
    return code === undefined ? [] : [code.replace(/%(?:20| )/g, ' ').replaceAll('%%', '%')]
  })
  const sub = call.operands[0]?.value
  if (sub !== 'grep' && sub !== 'send-email') return transports
  const pattern =
    sub === 'grep' ? /^(?:-O|--open-files-in-pager=)(.+)$/s : /^--(?:to-cmd|cc-cmd|header-cmd|sendmail-cmd)=(.+)$/s
  return [...transports, ...call.args.flatMap(({ value }) => pattern.exec(value)?.[1] ?? [])]
}

/** `git remote add NAME URL`, `git remote set-url NAME URL`, `git config remote.NAME.url URL`. */
function rememberRemote(call: ProgramCall): void {
  const [sub = '', ...words] = texts(call.operands)
  const [verb = '', name = '', url = ''] = words
  if (sub === 'remote' && (verb === 'add' || verb === 'set-url')) remember(name, verb, url)
  if (sub !== 'config') return
  const at = words.findIndex(word => /^remote\..+\.(?:push)?url$/i.test(word))
  if (at >= 0) remember(words[at]?.split('.').slice(1, -1).join('.') ?? '', 'set-url', words[at + 1] ?? '')

  function remember(remote: string, how: string, address: string): void {
    if (remote === '' || (sub === 'config' && address === '')) return
    call.frame.scope.set(remoteKey(remote), { text: `${how} ${address}`, from: 0, glob: false, list: null })
  }
}
