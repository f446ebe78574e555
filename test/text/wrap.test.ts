import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paint } from '../../src/terminal/paint.ts'
import { fill, type Line, line, type Style, widthOfLine } from '../../src/text/styled.ts'
import { widthOf } from '../../src/text/width.ts'
import { chop, wrap } from '../../src/text/wrap.ts'

const bare = (lines: readonly Line[]) => lines.map(line => paint(line, false))
const wrapped = (text: string, columns: number, hanging?: number) => bare(wrap(line(text), columns, hanging))
const graphemesOf = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)

// Words, wide characters, spaces and clusters in any order, in spans of several styles.
const styles = fc.subarray<Style>(['bold', 'red', 'underline'])
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(' ', '   ', 'word', '한국어', '漢字。', '👩‍👩‍👧‍👦', 'e\u0301'),
    ),
  )
  .map(parts => parts.join(''))
const lines: fc.Arbitrary<Line> = fc.array(fc.record({ text: texts, styles }))

describe('wrapping a line', () => {
  it('keeps every character except spaces, in order and with its styles', () => {
    const characters = (lines: readonly Line[]) =>
      lines
        .flat()
        .flatMap(({ text, styles = [] }) => [...text].map(character => `${character} ${styles}`))
        .filter(character => !character.startsWith(' '))
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: -1, max: 60 }),
        fc.integer({ min: 0, max: 10 }),
        (line, columns, hanging) => {
          expect(characters(wrap(line, columns, hanging))).toEqual(characters([line]))
        },
      ),
    )
  })

  it('makes no line wider than the columns unless it is a single grapheme, hanging indent included', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 10 }), (line, columns, hanging) => {
        for (const text of bare(wrap(line, columns, hanging))) {
          expect(widthOf(text) <= columns || graphemesOf(text.trimStart()).length === 1, text).toBe(true)
        }
      }),
    )
  })

  it('does not change a line that fits', () => {
    const fitting: Line = [{ text: '  a ' }, { text: '한국 ', styles: ['red'] }]
    expect(wrap(fitting, 9)).toEqual([fitting])
    expect(wrap([], 9)).toEqual([[]])
  })

  it.each([
    ['one two three', 7, ['one two', 'three']],
    ['one two three', 8, ['one two', 'three']],
    ['one   two', 4, ['one', 'two']],
    ['one two   ', 4, ['one', 'two']],
    ['a incomprehensible b', 6, ['a', 'incomp', 'rehens', 'ible b']],
    ['   indented text', 12, ['   indented', 'text']],
    ['한국어로 씁니다', 6, ['한국어', '로 씁', '니다']],
    ['中文没有空格', 5, ['中文', '没有', '空格']],
    ['「引用」です。', 6, ['「引', '用」で', 'す。']],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 4, ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦']],
    ['e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
    ['a한b', 1, ['a', '한', 'b']],
    ['한국', 0, ['한', '국']],
  ])('breaks %j at %i columns into %j', (text, columns, expected) => {
    expect(wrapped(text, columns)).toEqual(expected)
  })

  it('indents the lines after the first if there is room', () => {
    expect(wrapped('- one two three', 7, 2)).toEqual(['- one', '  two', '  three'])
    expect(wrapped('- one two', 2, 2)).toEqual(['-', 'on', 'e', 'tw', 'o'])
  })

  it('breaks inside a span and keeps its styles on both lines', () => {
    expect(wrap([{ text: 'plain ' }, { text: 'bold text', styles: ['bold'] }], 10)).toEqual([
      [{ text: 'plain ' }, { text: 'bold', styles: ['bold'] }],
      [{ text: 'text', styles: ['bold'] }],
    ])
  })

  it('wraps a line of a megabyte quickly', () => {
    expect(wrap(line('word '.repeat(200_000)), 80)).toHaveLength(12_500)
    expect(wrap(line('w'.repeat(1_000_000)), 80)).toHaveLength(12_500)
    expect(wrap(line('한'.repeat(350_000)), 80)).toHaveLength(8_750)
  })
})

describe('chopping a line', () => {
  it('keeps every character, including spaces, when chopping', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 60 }), (line, columns) => {
        const chopped = bare(chop(line, columns))
        expect(chopped.join('')).toBe(paint(line, false))
        for (const text of chopped) expect(widthOf(text) <= columns || graphemesOf(text).length === 1).toBe(true)
      }),
    )
  })

  it('chops only at the column edge', () => {
    expect(bare(chop(line('if (a)  return b'), 8))).toEqual(['if (a)  ', 'return b'])
    expect(bare(chop(line('한국어'), 5))).toEqual(['한국', '어'])
    expect(chop([], 5)).toEqual([[]])
  })
})

describe('painting a line', () => {
  it('paints escape sequences only with colour', () => {
    const styled: Line = [{ text: 'a', styles: ['bold', 'red'] }, { text: 'b' }, { text: '', styles: ['dim'] }]
    expect(paint(styled, false)).toBe('ab')
    expect(paint(styled, true)).toBe('\x1b[1m\x1b[31ma\x1b[39m\x1b[22mb')
  })
})

describe('the width of a line', () => {
  it('measures a line without its styles', () => {
    expect(widthOfLine([{ text: '한국', styles: ['bold'] }, { text: '👩‍👩‍👧‍👦 e\u0301' }])).toBe(8)
    expect(widthOfLine([])).toBe(0)
  })

  it('fills a line up to a width and never cuts it', () => {
    expect(paint(fill(line('한국', 'bold'), 6), false)).toBe('한국  ')
    expect(paint(fill(line('longer'), 3), false)).toBe('longer')
  })
})
