import { describe, expect, it } from 'vitest'
import { defects } from './corpus/defects.ts'
import { fences } from './corpus/fences.ts'
import { fields } from './corpus/fields.ts'
import { defaults, options } from './corpus/options.ts'
import { phases } from './corpus/phases.ts'
import { sources } from './corpus/sources.ts'
import { broken, streams } from './corpus/streams.ts'
import { chunksOf, randomChunks, scan, scanInTurns } from './scan.ts'

const corpus = { sources, defects, fields, options, defaults, streams, broken, phases, fences }

describe.each(Object.entries(corpus))('%s', (_, cases) => {
  it.each(cases)('finds the expected items for %s', (_, output, ...expected) => {
    const bytes = Buffer.from(output as string)
    const found = scan([bytes])
    expect(found.map(({ start, end, ...item }) => item)).toEqual(expected)

    for (const size of [1, 2, 3, 7, 64, 4_096]) expect(scan(chunksOf(bytes, size)), `chunks of ${size}`).toEqual(found)
    for (const seed of [1, 2, 3]) expect(scan(randomChunks(bytes, seed)), `random chunks, ${seed}`).toEqual(found)
    // Every scanner reads an open block again from its start.
    for (const size of [1, 7, 64, 1_000, 20_000].filter(size => bytes.length ** 2 / size < 5_000_000)) {
      expect(scanInTurns(bytes, size), `taken over every ${size}`).toEqual(found)
    }
  })
})

it('reports the position of every item in the stream', () => {
  const [text, ...rest] = [
    'Ça va\r\n',
    '  [USER_QUESTION]\r\ncategory: x\n [/USER_QUESTION] \r\n',
    '=== PHASE 1 COMPLETE ===\n- a\n\nmore',
  ]
  const bytes = Buffer.from([text, ...rest].join(''))
  const places = scan([bytes]).map(({ start, end }) => bytes.subarray(start, end).toString())
  expect(places).toEqual(['  [USER_QUESTION]\r\ncategory: x\n [/USER_QUESTION] \r', '=== PHASE 1 COMPLETE ===\n- a'])
})

it('has a corpus of more than 150 outputs', () => {
  expect(Object.values(corpus).flat().length).toBeGreaterThan(150)
})
