import { replyTags } from './formats.ts'

// A value stands on one line, and nothing in it can be taken for a tag: line breaks and other control characters but
// the tab are escaped, and so is the bracket of a reply's tag. A backslash is doubled only where it would begin an
// escape, so that `\d+` and `C:\temp` reach even an agent that knows of no escapes.

const hidden = '[\\p{Cc}--\\t]|[\\p{Cs}\\u2028\\u2029]'
const tagged = `\\[(?=/?(?:${replyTags.join('|')})\\])`
const special = new RegExp(`\\\\(?=[\\\\nru\\s]|${hidden}|${tagged}|$)|${hidden}|${tagged}`, 'gv')

/** The text on one line, for a raw answer. */
export function escapeLine(text: string): string {
  return text.replaceAll(special, found => (found === '\\' ? '\\\\' : (short[found] ?? codeOf(found))))
}

/** The same for the value of a field, where readers drop the space around it. */
export function escapeValue(text: string): string {
  return escapeLine(text).replaceAll(/^\s|\s$/g, codeOf)
}

export function unescapeValue(text: string): string {
  return text.replaceAll(/\\(?:([\\nr])|u([0-9a-f]{4}))/g, (_, letter: string | undefined, code: string) =>
    letter ? (long[letter] ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r' }
const long: Record<string, string> = { '\\': '\\', n: '\n', r: '\r' }

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
