import type { Argument } from '../interpret/arguments.ts'
import type { ProgramCall } from '../program-call.ts'
import { captured, type Finder, quoted, stdinLines, valuesOf } from './find-code.ts'

/** Clients of databases, servers and debuggers have commands of their own that run a shell: `\! ls`, `.shell ls`, `!ls`. */
export const clientEscapes: Readonly<Record<string, Finder>> = {
  'psql pgcli': call => [
    ...commands(call, ['-c', '--command'], /^\s*\\(?:!|(?:o|g|gx|w|out)\s*\|)\s*(.*)$/s),
    ...commands(call, ['-c', '--command'], /\\copy\b.{0,500}\bprogram\s+'([^']*)'/is),
    ...valuesOf(call, '-v', '--set').flatMap(arg => captured(arg, /^PAGER=(.*)$/s)),
  ],
  'mysql mariadb mycli': call => [
    ...commands(call, ['-e', '--execute'], /^\s*(?:\\!|system\s|\\P\s|pager\s)\s*(.*)$/s),
    ...valuesOf(call, '--pager'),
  ],
  'sqlite3 litecli': call => [
    ...[...call.operands.slice(1), ...valuesOf(call, '-cmd', '--cmd'), ...stdinLines(call)].flatMap(arg => [
      ...captured(arg, /^\s*\.(?:shell|system)\s+(.*)$/s),
      ...captured(arg, /^\s*\.(?:once|output|import|excel)\s+["']?\|\s*(.*?)["']?$/s),
      ...written(arg, /\bwritefile\s*\(\s*'([^']*)'/i),
    ]),
  ],
  duckdb: call => commands(call, ['-c', '-cmd'], /^\s*\.(?:shell|system)\s+(.*)$/s),
  gdb: call =>
    debuggerCommands(call, ['-ex', '-iex', '--eval-command', '-eval-command'], /^\s*(?:shell\s|!|pipe\s.*\|)\s*(.*)$/s),
  lldb: call =>
    debuggerCommands(
      call,
      ['-o', '-O', '--one-line', '--one-line-before-file'],
      /^\s*(?:platform\s+shell|shell|!)\s+(.*)$/s,
    ),
  'ftp lftp sftp tnftp smbclient telnet': call => commands(call, ['-c', '-e', '-b'], /^\s*!\s*(.*)$/s),
  'mail mailx s-nail': call => stdinLines(call).flatMap(arg => captured(arg, /^~!\s*(.*)$/s)),
}

function commands(call: ProgramCall, options: readonly string[], pattern: RegExp): Argument[] {
  return [...valuesOf(call, ...options), ...stdinLines(call)].flatMap(arg => captured(arg, pattern))
}

function debuggerCommands(call: ProgramCall, options: readonly string[], pattern: RegExp): Argument[] {
  const given = [...valuesOf(call, ...options), ...stdinLines(call)]
  return given.flatMap(arg => [
    ...captured(arg, pattern),
    ...captured(arg, /^\s*(?:python|py|script)\s+(.*)$/s).map(code => ({
      ...code,
      value: `python3 -c ${quoted(code.value)}`,
    })),
  ])
}

function written(arg: Argument, pattern: RegExp): Argument[] {
  return captured(arg, pattern).map(file => ({ ...file, value: `: > ${quoted(file.value)}` }))
}
