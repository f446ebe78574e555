import { replyTags } from './formats.ts'

// A value is a single line and cannot forge a tag: line breaks and other control characters except tabs are escaped, and
// so is the bracket of a reply tag. A backslash is doubled only where it would start an escape, so that `\d+` and
// `C:\temp` stay intact for agents that do not decode escapes.

const hidden = '[\\p{Cc}--\\t]|[\\p{Cs}\\u2028\\u2029]'
const tagged = `\\[(?=/?(?:${replyTags.join('|')})\\])`
const special = new RegExp(`\\\\(?=[\\\\nru\\s]|${hidden}|${tagged}|$)|${hidden}|${tagged}`, 'gv')

/** Escapes a raw answer to a single line. */
export function escapeLine(text: string): string {
  return text.replaceAll(special, found => (found === '\\' ? '\\\\' : (short[found] ?? unicodeEscape(found))))
}

/** The same for the value of a field, whose surrounding space would be trimmed by readers. */
export function escapeValue(text: string): string {
  return escapeLine(text).replaceAll(/^\s|\s$/g, unicodeEscape)
}

export function unescapeValue(text: string): string {
  return text.replaceAll(/\\(?:([\\nr])|u([0-9a-f]{4}))/g, (_, letter: string | undefined, code: string) =>
    letter ? (long[letter] ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r' }
const long: Record<string, string> = { '\\': '\\', n: '\n', r: '\r' }

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
