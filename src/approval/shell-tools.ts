import { resolve } from 'node:path'
import type { Json } from '../protocol/index.ts'
import { quoteWords } from '../text/quote-words.ts'

// The tools with which agents run commands, by the name that their agents give them.
const shellTools = new Set([
  ...['bash', 'shell', 'sh', 'zsh', 'terminal', 'execute', 'exec', 'command', 'run_command', 'execute_command'],
  ...['exec_command', 'run_shell_command', 'local_shell', 'unified_exec', 'shell_command', 'run_terminal_cmd'],
  ...['run_in_terminal', 'execute_bash', 'run_bash', 'bash_tool', 'developer__shell', 'powershell', 'monitor'],
])

// Which field a tool reads, only the tool knows: every one of these may be what it runs, and where.
const commandFields = /^(command|commands|cmd|script|code|argv|command_?line|shell_?command|bash|input|chars|text)$/i
const folderFields = /^(workdir|working_?dir(ectory)?|cwd|dir|dir_?path|directory|folder)$/i

// What a shell tool may have beside its command, without another effect.
const harmlessFields =
  /^(description|explanation|justification|reason|title|timeout(_?ms)?|yield_time_ms|max_output_tokens|run_in_background|is_background|background|tty|login)$/i

export interface ShellCall {
  readonly command: string
  readonly cwd: string
}

export interface ShellCalls {
  /** Every command that the input may stand for, each in every folder that it names. */
  readonly calls: readonly ShellCall[]
  /** Whether it is known to be a shell that runs the one command, and nothing else in the input matters. */
  readonly isPlain: boolean
}

/** Whether a tool of this name runs commands. */
export function isShellTool(tool: string): boolean {
  return plainName(tool) !== null
}

/** What the input of a shell tool may stand for; no calls for other tools. */
export function shellCallsOf(tool: string, input: Json, cwd: string): ShellCalls {
  const name = plainName(tool)
  if (name === null) return { calls: [], isPlain: false }
  if (typeof input === 'string') return { calls: callsIn([input], [cwd]), isPlain: false }
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return { calls: [], isPlain: false }
  const fields = Object.entries(input as Record<string, Json>)
  const values = fields.flatMap(([name, value]) => (commandFields.test(name) ? [value] : []))
  const [args = null] = fields.flatMap(([name, value]) => (/^(args|arguments)$/i.test(name) ? [value] : []))
  const folders = fields.flatMap(([name, value]) => (folderFields.test(name) ? textsIn(value) : []))
  const commands = [...new Set(values.flatMap(value => commandsIn(value, args)))]
  const calls = callsIn(commands, folders.length > 0 ? [...new Set(folders)].map(one => resolve(cwd, one)) : [cwd])
  const known = [commandFields, folderFields, harmlessFields]
  const isKnown = fields.every(([name]) => known.some(pattern => pattern.test(name)))
  return { calls, isPlain: name.isOwn && isKnown && calls.length === 1 }
}

/** The input of a shell tool with another command in place of its own; null where it does not hold it as a text. */
export function withCommand(input: Json, command: string): Json | null {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return null
  const fields = Object.entries(input as Record<string, Json>)
  const own = fields.filter(([name]) => commandFields.test(name))
  if (own.length === 0 || !own.every(([, value]) => typeof value === 'string')) return null
  // Every one of them: whichever stayed could be what the tool runs.
  return Object.fromEntries(fields.map(([name, value]) => [name, commandFields.test(name) ? command : value]))
}

function callsIn(commands: readonly string[], folders: readonly string[]): ShellCall[] {
  return commands.flatMap(command => folders.map(cwd => ({ command, cwd })))
}

/** `mcp__server__bash` and `server.bash` are called bash, but who knows what that server does. Null for other tools. */
function plainName(tool: string): { isOwn: boolean } | null {
  const name = tool.normalize('NFKC').toLowerCase().trim().replaceAll('-', '_')
  if (shellTools.has(name)) return { isOwn: true }
  return shellTools.has(name.split(/__|[./:\s]/).at(-1) ?? '') ? { isOwn: false } : null
}

/** A text is a command line, with the arguments beside it if there are any. A list is a program and its arguments. */
function commandsIn(value: Json, args: Json): string[] {
  const words = Array.isArray(args) ? args.filter(word => typeof word === 'string') : []
  if (typeof value === 'string') {
    if (value.trim() === '') return []
    return words.length > 0 ? [value, `${value} ${quoteWords(words)}`] : [value]
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every(word => typeof word === 'string')) return []
  // A tool that joins the words reads them as a shell would, and a list of one is a command line.
  const joined = [...value, ...words].join(' ')
  return value.length === 1 ? [joined] : [quoteWords([...value, ...words])]
}

function textsIn(value: Json): string[] {
  return typeof value === 'string' && value.trim() !== '' ? [value] : []
}
