import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAsk } from '../../src/blocks/block-to-ask.ts'
import { createScanner, type Item } from '../../src/blocks/index.ts'
import { categories, neededTypes } from '../../src/protocol/status.ts'
import { parseAsk } from '../../src/rules/parse-ask.ts'
import { asks, needs } from './corpus/case.ts'
import { randomChunks, scan } from './scan.ts'

it('knows that a block or a phase is not complete yet', () => {
  const insideAfter = (text: string) => {
    const scanner = createScanner()
    scanner.push(Buffer.from(text))
    return scanner.isInside()
  }
  expect(['', 'Name? ', '```\n[USER_', '[USER_QUESTION]\nquestion: Why?\n[/USER_QUESTION]\n'].map(insideAfter)).toEqual(
    [false, false, false, false],
  )
  const open = ['[USER_QUESTION]\nquestion: Why?\n', '=== PHASE 1 COMPLETE ===\n- done\n', '=== PHASE 1 COMPLETE ===']
  expect(open.map(insideAfter)).toEqual([true, true, true])
})

const pieces = [
  ...['[USER_QUESTION]', '[/USER_QUESTION]', '[DEPENDENCY_REQUEST]', '[/DEPENDENCY_REQUEST]', '[ERROR]', '[/ERROR]'],
  ...['=== PHASE 1 COMPLETE ===', '=== CUSTOM TASK COMPLETE ===', 'Ready for review.', '- a', '```', '````', '```ts'],
  ...[
    'category: choice',
    'question: Which?',
    'options: [a, "b, c"]',
    'options:',
    'default: a',
    'required: no',
    'type: file',
  ],
  ...[
    'name: X',
    'description: y',
    'message: z',
    'timeout: 5m',
    'text',
    '',
    ' ',
    '\t',
    '\r',
    '\u001b[1m',
    '\0',
    '\ufeff',
    '가',
  ],
]
const piece = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...pieces) },
  fc.string({ unit: 'binary', maxLength: 9 }),
)
const lines = fc.array(
  fc.tuple(piece, fc.constantFrom('\n', '\n', '\n', '\r\n', '', ' ')).map(parts => parts.join('')),
  {
    maxLength: 60,
  },
)
const anyBytes = fc.oneof(
  { weight: 9, arbitrary: lines.map(parts => Buffer.from(parts.join(''))) },
  fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
)

describe('any bytes', () => {
  it('finds the same items however the bytes are split', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(), (bytes, seed) => {
        const whole = scan([bytes])
        expect(scan(randomChunks(bytes, seed))).toEqual(whole)
        expect(scan([...bytes].map(byte => Uint8Array.of(byte)))).toEqual(whole)
      }),
      { numRuns: 3_000 },
    )
  })

  it('finds the same items however the bytes are split, with a small limit for blocks', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(), fc.integer({ min: 1, max: 120 }), (bytes, seed, blockBytes) => {
        const whole = scan([bytes], { blockBytes })
        expect(scan(randomChunks(bytes, seed), { blockBytes })).toEqual(whole)
        expect(
          scan(
            [...bytes].map(byte => Uint8Array.of(byte)),
            { blockBytes },
          ),
        ).toEqual(whole)
      }),
      { numRuns: 3_000 },
    )
  })

  it('finds items in order, inside the stream and without overlaps', () => {
    fc.assert(
      fc.property(anyBytes, bytes => {
        const places = scan([bytes]).flatMap(({ start, end }) => [start, end])
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        expect(places.every(place => place >= 0 && place <= bytes.length)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('finds only asks that the hub accepts', () => {
    fc.assert(
      fc.property(anyBytes, bytes => {
        for (const item of scan([bytes])) if (isAsk(item)) expect(parseAsk(toAsk(item)).ask).toBeDefined()
      }),
      { numRuns: 2_000 },
    )
  })

  it('never crashes on any bytes at any time', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyBytes, fc.nat({ max: 30_000 })), { maxLength: 8 }), arrivals => {
        const scanner = createScanner({ blockTime: 20_000 })
        let now = 0
        for (const [bytes, pause] of arrivals) {
          now += pause
          expect([...scanner.push(bytes), ...scanner.tick(now)]).toBeInstanceOf(Array)
        }
        scanner.end()
        expect(scanner.end()).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })
})

const isAsk = (item: Item) => item.type === 'question' || item.type === 'dependency' || item.type === 'phase'

const word = fc
  .stringMatching(/^[a-zA-Z0-9가-힣ぁ-ん.!?/+%&;@ ]{1,20}$/)
  .map(text => text.trim())
  .filter(text => text !== '')
const label = fc.oneof(
  word,
  fc.tuple(word, word).map(parts => parts.join(', ')),
  word.map(text => `${text} (${text}, x)`),
)
const labels = fc.uniqueArray(label, { minLength: 1, maxLength: 6, selector: text => text.normalize('NFC') })
const inBrackets = (options: string[]) => `options: [${options.map(option => `"${option}"`).join(', ')}]`
const inJson = (options: string[]) => `options: ${JSON.stringify(options, null, 2)}`
const inList = (options: string[]) => `options:\n${options.map(option => `  - ${option}`).join('\n')}`

describe('any block', () => {
  it('parses any question back, however its options are written', () => {
    const form = fc.constantFrom(inBrackets, inJson, inList)
    fc.assert(
      fc.property(
        fc.constantFrom(...categories),
        word,
        labels,
        form,
        fc.boolean(),
        (category, text, options, write, required) => {
          const output = asks(`category: ${category}`, `question: ${text}`, write(options), `required: ${required}`)
          const question = { category, question: text, options, default: undefined, required, timeout: undefined }
          expect(scan([Buffer.from(output)])).toMatchObject([{ type: 'question', question }])
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('parses any dependency back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...neededTypes),
        word,
        fc.array(word, { minLength: 1 }),
        (type, name, description) => {
          const output = needs(`type: ${type}`, `name: ${name}`, `description: ${description.join('\n')}`)
          const dependency = { type, name, description: description.join('\n'), required: true }
          expect(scan([Buffer.from(output)])).toMatchObject([{ type: 'dependency', dependency }])
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('a block of the largest allowed size', () => {
  const size = 250_000
  const fill = (text: string) => text.repeat(Math.floor(size / Buffer.byteLength(text)))
  it.each([
    ['open brackets', `options: [${fill('(')}]`],
    ['brackets that do not match', `options: [${'('.repeat(size / 2)}${']'.repeat(size / 2)}]`],
    ['quotes', `options: [${fill('"')}]`],
    ['apostrophes after commas', `options: [${fill(",'")}]`],
    ['commas', `options: [${fill(',')}]`],
    ['space', `options: [${fill(' ')}]`],
    ['space and quotes', `options: [${fill("'  ")}]`],
    ['dashes', `options:\n${fill('-\n')}`],
    ['lines of a list that go on', `options: - x\n${fill('x\n')}`],
    ['fields', fill('question: x\n')],
    ['colons', fill(':')],
    ['empty lines', `question: x\n${fill('\n ')}`],
    ['escapes', fill('\u001b[')],
    ['escapes that go on', fill('\u001b]0;')],
    ['numbers of an escape', `\u001b[${fill('1')}`],
    ['carriage returns', fill('\r')],
    ['backticks', fill('`')],
  ])('parses a block of the largest size quickly with %s', (_, content) => {
    const began = performance.now()
    const [found, ...more] = scan([Buffer.from(asks(content))])
    expect(found).toMatchObject({ type: 'malformed', tag: 'USER_QUESTION' })
    expect(more).toEqual([])
    // Milliseconds, in truth; a quadratic reader would take half a minute.
    expect(performance.now() - began).toBeLessThan(3_000)
  })
})
