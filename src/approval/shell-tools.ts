import type { Json } from '../protocol/index.ts'
import { quoteWords } from './command-line.ts'

// The tools with which agents run commands, by the name that their agents give them.
const shellTools = new Set([
  ...['bash', 'shell', 'sh', 'zsh', 'terminal', 'execute', 'exec', 'command', 'run_command', 'execute_command'],
  ...['exec_command', 'run_shell_command', 'local_shell', 'unified_exec', 'shell_command', 'run_terminal_cmd'],
  ...['run_in_terminal', 'execute_bash', 'run_bash', 'bash_tool', 'developer__shell', 'powershell', 'monitor'],
])

export interface ShellCall {
  readonly command: string
  /** The directory, where the input names one. */
  readonly cwd: string | null
}

/** The command in the input of a shell tool; null for other tools, and where the input holds none. */
export function shellCallOf(tool: string, input: Json): ShellCall | null {
  if (!shellTools.has(plainName(tool)) || input === null || typeof input !== 'object' || Array.isArray(input))
    return null
  const fields = input as Record<string, Json>
  const command = commandIn(fields.command ?? fields.cmd ?? fields.script ?? null)
  return command === null ? null : { command, cwd: textIn(fields.workdir ?? fields.cwd ?? fields.dir_path ?? null) }
}

/** `mcp__server__bash` and `server.bash` are called bash. */
function plainName(tool: string): string {
  const name = tool.toLowerCase().replaceAll('-', '_')
  return shellTools.has(name) ? name : (name.split(/__|[./:]/).at(-1) ?? '')
}

/** A list of words is quoted as a shell would need it. */
function commandIn(value: Json): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (!Array.isArray(value) || value.length === 0 || !value.every(word => typeof word === 'string')) return null
  return quoteWords(value)
}

function textIn(value: Json): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
