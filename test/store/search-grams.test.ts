import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GramCollector, gramsOf } from '../../src/store/search/grams.ts'

// Letters whose case is difficult, scripts of two and of three characters, pairs of surrogates.
const characters = [
  ...[
    'a',
    'A',
    'b',
    'i',
    'I',
    'İ',
    'ı',
    'K',
    '\u212a',
    'å',
    'Å',
    '\u212b',
    'ß',
    'ẞ',
    'σ',
    'Σ',
    'ς',
    'я',
    'Я',
    'ì',
    'Ì',
    'J',
    'į',
    'Į',
    'Í',
    'í',
  ],
  ...[
    '양',
    '파',
    '部',
    '署',
    '１',
    'Ａ',
    'ａ',
    '😀',
    '😁',
    '𐐀',
    '𐐨',
    '\u0307',
    '\u0300',
    '\u0301',
    ' ',
    '"',
    '\\',
    '%',
    '_',
    '0',
  ],
]
const text = fc.string({ unit: fc.constantFrom(...characters), maxLength: 12 })
const word = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 4 })

const lowerCases: Record<string, (text: string) => string> = {
  'ASCII only': text => text.replaceAll(/[A-Z]/g, letter => letter.toLowerCase()),
  'character by character': text => Array.from(text, letter => (letter === 'İ' ? 'i' : letter.toLowerCase())).join(''),
  'all of Unicode': text => text.toLowerCase(),
  Turkish: text => text.toLocaleLowerCase('tr'),
  Lithuanian: text => text.toLocaleLowerCase('lt'),
}

describe('the grams of a word', () => {
  it.each(Object.entries(lowerCases))('are in every text that contains it, lower-cased: %s', (_, lower) => {
    fc.assert(
      fc.property(text, word, text, (before, middle, after) => {
        for (const [inside, searched] of [
          [`${before}${middle}${after}`, middle],
          [`${before}${middle.toUpperCase()}${after}`, middle],
          [`${before}${after}`, middle],
        ] as const) {
          if (lower(inside).includes(lower(searched))) expect(missing(inside, searched)).toEqual([])
        }
      }),
      {
        numRuns: 300,
        // As PostgreSQL lower-cases them in Lithuanian, İ and both spellings of Ì get a dot; in Turkish İ loses its own.
        examples: [
          ['KÌ', 'Kİ', ''],
          ['KÌ', 'KI\u0300', ''],
          ['KI\u0300', 'KÌ', ''],
          ['K', 'Ki', 'Ì'],
          ['KI', 'Kib', '\u0307b'],
        ],
      },
    )
  })

  it('are those of two characters in Korean and Chinese, and of three in alphabets', () => {
    expect(missing('양파 수프', '파양')).not.toEqual([])
    expect(missing('数据库', '据库')).toEqual([])
    expect(missing('rab bar', 'rabar')).not.toEqual([])
    expect(missing('Ärger', 'äRG')).toEqual([])
    expect(missing('stendal', 'İstanbul')).not.toEqual([])
  })

  it('are none where one character tells nothing', () => {
    expect(gramsOf('a')).toBeNull()
    expect(gramsOf('양')).toHaveLength(1)
    expect(missing('라면과 양', '양')).toEqual([])
  })
})

/** The grams of the word that the text does not have. */
function missing(text: string, word: string) {
  const collector = new GramCollector()
  collector.add(text)
  collector.endBlock(40)
  const buckets = new Map([...collector.buckets()].map(({ bucket, slots }) => [bucket, slots]))
  return (gramsOf(word) ?? []).filter(({ bucket, slot }) => !buckets.get(bucket)?.includes(slot ?? ''))
}
