import type { Finding } from '../verdict.ts'
import type { Place } from './looked-files.ts'

// What is known only at run time, or cannot be read, says nothing about a file: without looking it would be allowed, too.
const sayNothing = new Set(['shell/dynamic-code', 'shell/dynamic-command', 'shell/too-deep', 'shell/unreadable'])

/**
 * The finding as a person reads it: it names the file and the line, never the text, and marks the part of the command that
 * runs the file. Null if it says nothing about the file.
 */
export function asFoundInFile(finding: Finding, { file, line, span }: Place): Finding | null {
  if (sayNothing.has(finding.rule)) return null
  const { template: _, params: __, edits: ___, ...found } = finding
  const message = [file, 'line', line, finding.message].join(' ')
  // What would be safer is another line of the file, not another command.
  return { ...found, message, span, file, line, safer: null }
}
