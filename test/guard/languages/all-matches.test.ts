import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allMatches, neededText } from '../../../src/guard/languages/all-matches.ts'
import { dangerousCalls } from '../../../src/guard/languages/calls/index.ts'
import { rewrites } from '../../../src/guard/languages/name-rewrites.ts'
import { readCorpus } from '../corpus.ts'

const tables: readonly Readonly<Record<string, readonly { pattern: RegExp }[]>>[] = [dangerousCalls, rewrites]
const patterns = tables.flatMap(table => Object.values(table).flatMap(entries => entries.map(({ pattern }) => pattern)))

describe('searching code', () => {
  it.each([
    [/(?<![.\w])getattr\s*\(/g, 'getattr'],
    [/\bshutil\.rmtree\s*\(/g, 'shutil.rmtree'],
    [/\bfiles?\s*\(/g, 'file'],
    [/\b(?:rm|unlink)\s*\(/g, ''],
    [/\bos\.(?:remove|unlink)\s*\(/g, 'os.'],
    [/\bone\b|\btwo\b/g, ''],
    [/\brun[abc]{2}now/g, 'run'],
    [/\b(?<name>\w+)\.call\(/g, '.call'],
    [/delete/gi, ''],
  ])('knows a text that every match of %s contains', (pattern, needed) => {
    expect(neededText(pattern)).toBe(needed)
  })

  it('finds in the code of all examples what matchAll finds', () => {
    const codes = readCorpus().flatMap(({ commands }) => commands)
    expect(patterns.filter(pattern => neededText(pattern) !== '').length).toBeGreaterThan(20)
    for (const pattern of patterns)
      for (const code of codes) {
        if (neededText(pattern) === '' || code.includes(neededText(pattern))) continue
        pattern.lastIndex = 0
        expect(pattern.test(code), `${pattern} ${code}`).toBe(false)
      }
  })

  it('finds in any text what matchAll finds', () => {
    const words = fc.constantFrom(
      'os',
      '.',
      'system',
      '(',
      ')',
      'getattr',
      ' ',
      '«0»',
      'rmtree',
      'shutil',
      '[',
      '__dict__',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 20 }), fc.constantFrom(...patterns), (parts, pattern) => {
        const text = parts.join('')
        expect(allMatches(text, pattern).map(([found]) => found)).toEqual(
          [...text.matchAll(pattern)].map(([found]) => found),
        )
      }),
      { numRuns: 2_000 },
    )
  })
})
