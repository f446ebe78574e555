import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut, pad, widthOf } from '../../src/text/width.ts'

describe('the width of a text', () => {
  it.each([
    ['plain', 5],
    ['한국어', 6],
    ['漢字かな', 8],
    ['ｶﾅ', 2],
    ['e\u0301', 1],
    ['👩‍💻', 2],
    ['❤️', 2],
    ['🇰🇷', 2],
    ['', 0],
  ])('measures %j as %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns)
  })

  it('never exceeds the width that a text was cut to', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(widthOf(cut(text, columns))).toBeLessThanOrEqual(columns)
      }),
    )
  })

  it('pads a short text to the requested width', () => {
    expect(pad('한국', 6)).toBe('한국  ')
    expect(pad('longer', 3)).toBe('longer')
    expect(cut('한국어', 5)).toBe('한국…')
    expect(cut('한국어', 4)).toBe('한…')
  })
})
