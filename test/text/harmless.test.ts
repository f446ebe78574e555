import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { harmless, harmlessJson, harmlessLines, harmlessTitle } from '../../src/text/harmless.ts'

const acted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/v
const withoutEmoji = (text: string) => text.replaceAll(/\p{RGI_Emoji}/gv, '')

// Any text, with more of what terminals act on than chance would bring.
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\x1b[2J',
        '\x9b',
        '\u202e',
        '\u200b',
        '\u200d',
        '\ufe0f',
        '👩‍💻',
        '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
        '\ud83d',
        '한국어',
        '\r\n',
        '\t',
        '\0',
      ),
    ),
  )
  .map(parts => parts.join(''))

describe('harmless', () => {
  it('removes everything that a terminal acts on', () => {
    fc.assert(
      fc.property(anyText, text => !acted.test(withoutEmoji(harmless(text)))),
      { numRuns: 2_000 },
    )
  })

  it('does not change a harmless text again', () => {
    fc.assert(fc.property(anyText, text => harmless(harmless(text)) === harmless(text)))
  })

  it('keeps only line breaks and tabs in a text of several lines', () => {
    fc.assert(fc.property(anyText, text => !acted.test(withoutEmoji(harmlessLines(text)).replaceAll(/[\n\t]/g, ''))))
  })

  it('makes JSON that parses to the same value', () => {
    fc.assert(
      fc.property(anyText, text => {
        const json = harmlessJson({ text })
        expect(JSON.parse(json)).toEqual({ text })
        expect(acted.test(json)).toBe(false)
      }),
    )
  })

  it.each([
    ['\x1b[31mred', '\\x1b[31mred'],
    ['a\u202eb', 'a\\u202eb'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['\u{e0041}tag', '\\u{e0041}tag'],
    ['line\nbreak\ttab\rreturn', 'line\\nbreak\\ttab\\rreturn'],
    ['half \ud83d', 'half \\ud83d'],
    ['filler\u3164', 'filler\\u3164'],
    ['안녕하세요, 世界! é e\u0301', '안녕하세요, 世界! é e\u0301'],
    ['👩‍💻 ❤️ 🇰🇷 1️⃣', '👩‍💻 ❤️ 🇰🇷 1️⃣'],
  ])('shows %j as %j', (text, shown) => {
    expect(harmless(text)).toBe(shown)
  })

  it('puts a title on one line', () => {
    expect(harmlessTitle('  two\n\n  lines\x07 ')).toBe('two lines\\x07')
  })
})
