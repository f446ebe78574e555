import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BadCall } from '../../src/cli/ask-user-question/bad-call.ts'
import { limitsOf } from '../../src/cli/ask-user-question/limits.ts'
import { readQuestions } from '../../src/cli/ask-user-question/questions.ts'
import { parseAsDelivered } from '../../src/cli/ask-user-question/read-json.ts'
import { parseAsk } from '../../src/rules/parse-ask.ts'

const defaults = limitsOf({})
const widest = limitsOf({
  ASK_MAX_QUESTIONS: '50',
  ASK_MAX_OPTIONS: '200',
  ASK_HEADER_MAX_LENGTH: '200',
  ASK_QUESTION_MAX_LENGTH: '10000',
})

// A few fixed words, so that duplicates are frequent, and arbitrary strings.
const text = fc.oneof(
  fc.constantFrom('a', ' a ', 'b', '', ' ', '\u00e9', 'e\u0301', 'a\nb', '\ud800', 'x\0', '🦀'.repeat(150)),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const noise = fc.oneof(text, fc.jsonValue())
const option = fc.record({ label: noise, description: text, preview: text }, { requiredKeys: ['label', 'description'] })
const question = fc.record({
  question: text,
  header: text,
  options: fc.array(fc.oneof({ weight: 9, arbitrary: option }, noise), { minLength: 1, maxLength: 5 }),
  multiSelect: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, noise),
})
const call = fc.record({ questions: fc.array(fc.oneof({ weight: 9, arbitrary: question }, noise), { maxLength: 5 }) })

const harmlessText = fc.string({ minLength: 1, maxLength: 12 }).filter(one => one.trim() !== '' && one.isWellFormed())
const validCall = fc.record({
  questions: fc.uniqueArray(
    fc.record({
      question: harmlessText,
      header: harmlessText,
      options: fc.uniqueArray(fc.record({ label: harmlessText, description: harmlessText }), {
        minLength: 2,
        maxLength: 4,
        selector: ({ label }) => label.trim().normalize('NFC'),
      }),
      multiSelect: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4, selector: ({ header }) => header.trim().normalize('NFC') },
  ),
})

describe('the questions of a call', () => {
  it('are accepted or refused for any JSON, without a crash', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), call), input => {
        const asked = tryReading(input)
        expect(Array.isArray(asked) || asked instanceof BadCall).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are accepted by the hub if they are valid', () => {
    let passed = 0
    fc.assert(
      fc.property(fc.oneof(call, validCall), fc.constantFrom(defaults, widest), (input, limits) => {
        const asked = tryReading(input, limits)
        if (Array.isArray(asked)) {
          passed += 1
          parseAsk({ questions: asked.map(one => ({ ...one, allowOther: true })) })
        } else {
          expect(asked).toBeInstanceOf(BadCall)
        }
      }),
      { numRuns: 3_000 },
    )
    expect(passed).toBeGreaterThan(300)
  })

  it("are too long if the hub's UTF-16 limit is exceeded, even with fewer visible characters", () => {
    const asked = { question: '🦀'.repeat(6_000), header: 'h', multiSelect: false, options: [] }
    expect(tryReading({ questions: [asked] }, widest)).toMatchObject({
      lines: expect.arrayContaining(['- questions[0].question: String must contain at most 10000 UTF-16 unit(s)']),
    })
  })
})

describe('JSON from a shell', () => {
  it('is parsed with every kind of extra quoting', () => {
    fc.assert(
      fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), given => {
        const value = JSON.parse(JSON.stringify(given))
        const json = JSON.stringify(value)
        for (const wrapped of [json, `'${json}'`, `"${json}"`, JSON.stringify(json), ` ${json}\r\n`]) {
          expect(parseAsDelivered(wrapped)).toEqual(value)
        }
      }),
    )
  })

  it('is parsed or refused with BadCall for any text', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        try {
          JSON.stringify(parseAsDelivered(text))
        } catch (error) {
          expect(error).toBeInstanceOf(BadCall)
        }
      }),
    )
  })
})

function tryReading(input: unknown, limits = defaults): unknown {
  try {
    return readQuestions(input, limits).questions
  } catch (error) {
    return error
  }
}
