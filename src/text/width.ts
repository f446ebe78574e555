import { eastAsianWidth } from 'get-east-asian-width'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const ascii = /^[\x20-\x7e]*$/
// Made when it is first needed: all the emoji there are take a while.
let emoji: RegExp | null = null
// Also the vowels and endings of a Korean syllable that is written in parts.
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11ff\ud7b0-\ud7ff]$/v

/** How many columns a text takes in a terminal: two for Korean, Chinese, Japanese and emoji. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment)
  return width
}

/** Cut to so many columns, with an ellipsis where something was cut off. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns < 1) return ''
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += widthOfGrapheme(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

/** Of its letters one by one, as terminals count: marks that stand beside their letter take room, those above it none. */
function widthOfGrapheme(grapheme: string): number {
  emoji ??= /^\p{RGI_Emoji}$/v
  if (emoji.test(grapheme)) return 2
  let width = 0
  for (const letter of grapheme) if (!zeroWidth.test(letter)) width += eastAsianWidth(letter.codePointAt(0) ?? 0)
  return width
}
