import { resolve } from 'node:path'
import type { Json } from '../protocol/index.ts'
import { quoteWords } from './command-line.ts'

// The tools with which agents run commands, by the name that their agents give them.
const shellTools = new Set([
  ...['bash', 'shell', 'sh', 'zsh', 'terminal', 'execute', 'exec', 'command', 'run_command', 'execute_command'],
  ...['exec_command', 'run_shell_command', 'local_shell', 'unified_exec', 'shell_command', 'run_terminal_cmd'],
  ...['run_in_terminal', 'execute_bash', 'run_bash', 'bash_tool', 'developer__shell', 'powershell', 'monitor'],
])

// Which field a tool reads, only the tool knows: every one of these may be what it runs, and where.
const commandFields = /^(command|commands|cmd|script|code|argv|command_?line|shell_?command|bash|input|chars|text)$/i
const folderFields = /^(workdir|working_?dir(ectory)?|cwd|dir|dir_?path|directory|folder)$/i

export interface ShellCall {
  readonly command: string
  readonly cwd: string
}

/** Every command that the input of a shell tool may stand for, each in every folder that it names; none for other tools. */
export function shellCallsOf(tool: string, input: Json, cwd: string): ShellCall[] {
  if (!shellTools.has(plainName(tool))) return []
  if (typeof input === 'string') return callsIn([input], [cwd])
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return []
  const fields = Object.entries(input as Record<string, Json>)
  const values = fields.flatMap(([name, value]) => (commandFields.test(name) ? [value] : []))
  const [args] = fields.flatMap(([name, value]) => (/^(args|arguments)$/i.test(name) ? [value] : []))
  const folders = fields.flatMap(([name, value]) => (folderFields.test(name) ? textsIn(value) : []))
  const commands = values.flatMap(value => commandsIn(value, args ?? null))
  return callsIn(
    [...new Set(commands)],
    folders.length > 0 ? [...new Set(folders)].map(folder => resolve(cwd, folder)) : [cwd],
  )
}

function callsIn(commands: readonly string[], folders: readonly string[]): ShellCall[] {
  return commands.flatMap(command => folders.map(cwd => ({ command, cwd })))
}

/** `mcp__server__bash` and `server.bash` are called bash. */
function plainName(tool: string): string {
  const name = tool.normalize('NFKC').toLowerCase().trim().replaceAll('-', '_')
  return shellTools.has(name) ? name : (name.split(/__|[./:\s]/).at(-1) ?? '')
}

/** A text is a command line, with the arguments beside it if there are any. A list is a program and its arguments. */
function commandsIn(value: Json, args: Json): string[] {
  const words = Array.isArray(args) ? args.filter(word => typeof word === 'string') : []
  if (typeof value === 'string') {
    if (value.trim() === '') return []
    return words.length > 0 ? [value, `${value} ${quoteWords(words)}`] : [value]
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every(word => typeof word === 'string')) return []
  return [quoteWords([...value, ...words])]
}

function textsIn(value: Json): string[] {
  return typeof value === 'string' && value.trim() !== '' ? [value] : []
}
