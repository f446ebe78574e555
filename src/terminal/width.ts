import { eastAsianWidth } from 'get-east-asian-width'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const ascii = /^[\x20-\x7e]*$/
// Made when it is first needed: all the emoji there are take a while.
let emoji: RegExp | null = null
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/v

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

function widthOfGrapheme(grapheme: string): number {
  emoji ??= /^\p{RGI_Emoji}$/v
  if (emoji.test(grapheme)) return 2
  if (zeroWidth.test(grapheme)) return 0
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0)
}
