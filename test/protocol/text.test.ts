import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filledText, line, text, textProblem } from '../../src/protocol/text.ts'

// Any UTF-16, including lone surrogates and NUL bytes.
const anyText = fc
  .array(fc.oneof(fc.constantFrom(0, 0x20, 0x0a, 0xd800, 0xdc00, 0xd83d, 0xde00), fc.integer({ min: 0, max: 0xffff })))
  .map(units => String.fromCharCode(...units))

describe('text', () => {
  it('is accepted unchanged if it is valid UTF-16 without NUL and not too long', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (value, max) => {
        const result = text(max).safeParse(value)
        const roundTrips = Buffer.from(value, 'utf8').toString('utf8') === value
        expect(result.success).toBe(roundTrips && !value.includes('\0') && value.length <= max)
        if (result.success) expect(result.data).toBe(value)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(['', '한글', '👩‍👩‍👧', ' \t\r\n', '\u001b[31m', '\u202e', '\ufeff', '\u{10ffff}'])('accepts %j', value => {
    expect(text(100).parse(value)).toBe(value)
  })

  it.each([
    ['a\0b', 'contains a NUL byte'],
    ['\ud800', 'contains half of a surrogate pair (broken UTF-16)'],
    ['\ude00\ud83d', 'contains half of a surrogate pair (broken UTF-16)'],
    ['x'.repeat(101), 'is too long: 101 characters, at most 100'],
  ])('refuses case %# with a reason', (value, reason) => {
    expect(textProblem(value, 100)).toBe(reason)
    expect(
      text(100)
        .safeParse(value)
        .error?.issues.map(issue => issue.message),
    ).toEqual([reason])
  })

  it.each([null, undefined, 1, true, [], {}])('refuses %j, which is not text', value => {
    expect(text(100).safeParse(value).success).toBe(false)
  })
})

describe('filled text', () => {
  it('is trimmed and never empty', () => {
    fc.assert(
      fc.property(anyText, value => {
        const result = filledText(1_000).safeParse(value)
        expect(result.success).toBe(textProblem(value, 1_000) === null && value.trim() !== '')
        if (result.success) expect(result.data).toBe(value.trim())
      }),
    )
  })

  it('reports one problem', () => {
    expect(
      filledText(10)
        .safeParse(' \n ')
        .error?.issues.map(issue => issue.message),
    ).toEqual(['must not be empty'])
    expect(
      filledText(10)
        .safeParse('\0')
        .error?.issues.map(issue => issue.message),
    ).toEqual(['contains a NUL byte'])
  })
})

describe('a line', () => {
  it.each(['a\nb', 'a\rb', 'a\r\nb', 'a\u2028b', 'a\u2029b'])('refuses %j', value => {
    expect(
      line(10)
        .safeParse(value)
        .error?.issues.map(issue => issue.message),
    ).toEqual(['must be a single line'])
  })

  it('ignores newlines around it', () => expect(line(10).parse('\nname\r\n')).toBe('name'))

  it('never contains a line break', () => {
    fc.assert(
      fc.property(anyText, value => {
        const result = line(1_000).safeParse(value)
        if (result.success) expect(result.data).not.toMatch(/[\r\n\u2028\u2029]/)
      }),
    )
  })
})
