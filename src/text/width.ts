import { eastAsianWidth } from 'get-east-asian-width'

const ascii = /^[\x20-\x7e]*$/
// Made on first use: each takes several milliseconds, and most texts are plain.
let segmenter: Intl.Segmenter | null = null
let emoji: RegExp | null = null
// Includes the medial vowels and final consonants of decomposed Korean syllables.
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11ff\ud7b0-\ud7ff]$/v

/** The number of terminal columns a text takes: two for each Korean, Chinese, Japanese character and emoji. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemesIn(text)) width += widthOfGrapheme(segment)
  return width
}

/** Cuts the text to the given width and ends it with an ellipsis if something was cut off. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns < 1) return ''
  let kept = ''
  let width = 0
  for (const { segment } of graphemesIn(text)) {
    width += widthOfGrapheme(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

export function graphemesIn(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Adds up its code points, as terminals do: spacing marks count, non-spacing marks do not. */
function widthOfGrapheme(grapheme: string): number {
  emoji ??= /^\p{RGI_Emoji}$/v
  if (emoji.test(grapheme)) return 2
  let width = 0
  for (const letter of grapheme) if (!zeroWidth.test(letter)) width += eastAsianWidth(letter.codePointAt(0) ?? 0)
  return width
}
