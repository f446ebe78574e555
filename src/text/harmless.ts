// Text from an agent must be visible and must not control the terminal: escape sequences, bidi overrides, zero-width and
// other invisible characters appear as escapes. Complete emoji pass, although zero-width characters join some of them.
const hidden =
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\u{e0100}-\\u{e01ef}]'
const anyHidden = new RegExp(hidden, 'v')
// Compiled on first use: the set of all emoji takes a while.
let emojiOrHidden: RegExp | null = null
const onlyHidden = new RegExp(hidden, 'gv')

/** The text on one line, without anything that a terminal would act on. */
export function harmless(text: string): string {
  if (!anyHidden.test(text)) return text
  emojiOrHidden ??= new RegExp(`\\p{RGI_Emoji}|${hidden}`, 'gv')
  return text.replaceAll(emojiOrHidden, found => (isHidden(found) ? escaped(found) : found))
}

/** The same for several lines: keeps line breaks and tabs. */
export function harmlessLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map(line => line.split('\t').map(harmless).join('\t'))
    .join('\n')
}

/** The text as a title: any white space becomes one space. */
export function harmlessTitle(text: string): string {
  return harmless(text.trim().replaceAll(/[ \t\r\n]+/g, ' '))
}

/** JSON on one line. Hidden characters become JSON escapes, so that every parser restores the same text. */
export function harmlessJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(onlyHidden, found =>
    [...Array(found.length).keys()].map(i => `\\u${hex(found.charCodeAt(i), 4)}`).join(''),
  )
}

function isHidden(found: string): boolean {
  return [...found].length === 1 && anyHidden.test(found)
}

const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (named[character]) return named[character]
  if (code <= 0xff) return `\\x${hex(code, 2)}`
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 0)}}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
