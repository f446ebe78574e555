import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draftSchema } from '../../src/protocol/draft.ts'
import { limits } from '../../src/protocol/limits.ts'
import { textProblem } from '../../src/protocol/text.ts'

describe('a draft', () => {
  it('gets null or empty values for missing fields', () => {
    expect(draftSchema.parse({ answers: [{ id: 'q1' }, { id: 'q2', text: 'half a sen' }] })).toEqual({
      answers: [
        { id: 'q1', selected: [], text: null, note: null },
        { id: 'q2', selected: [], text: 'half a sen', note: null },
      ],
      note: null,
    })
  })

  it('is kept unchanged, even if it is incomplete', () => {
    const answers = [{ id: 'q1', selected: ['yes', 'no'], text: ' and the\n', note: ' b' }]
    expect(draftSchema.parse({ answers, note: '…', by: 'me' })).toEqual({ answers, note: '…', by: 'me' })
  })

  it('contains each question once', () => {
    expect(pathsOf({ answers: [{ id: 'a' }, { id: 'b' }, { id: ' a ' }, { id: 'a' }] })).toEqual([
      'answers.2.id',
      'answers.3.id',
    ])
  })

  it.each([
    ['a NUL byte', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
    ['an over-long text', 'x'.repeat(limits.text + 1)],
  ])('is refused with the path of the field that has %s', (_, value) => {
    for (const field of ['id', 'text', 'note']) {
      expect(pathsOf({ answers: [{ id: 'q1', [field]: value }] })).toEqual([`answers.0.${field}`])
    }
    expect(pathsOf({ answers: [{ id: 'q1', selected: ['yes', value] }] })).toEqual(['answers.0.selected.1'])
    for (const field of ['note', 'by']) expect(pathsOf({ answers: [], [field]: value })).toEqual([field])
  })

  it('is refused with too many answers or options', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `o${i}`)
    expect(pathsOf({ answers: many(limits.questions).map(id => ({ id })) })).toEqual([])
    expect(pathsOf({ answers: many(limits.questions + 1).map(id => ({ id })) })).toEqual(['answers'])
    expect(pathsOf({ answers: [{ id: 'q1', selected: many(limits.options + 1) }] })).toEqual(['answers.0.selected'])
  })

  it('is refused with unknown fields, including those of an answer that could carry a secret', () => {
    for (const field of ['value', 'keep', 'channel', '__proto__']) {
      expect(draftSchema.safeParse(JSON.parse(`{ "answers": [], "${field}": "x" }`)).success).toBe(false)
      expect(draftSchema.safeParse(JSON.parse(`{ "answers": [{ "id": "q1", "${field}": "x" }] }`)).success).toBe(false)
    }
  })
})

describe('arbitrary JSON', () => {
  // Any UTF-16 unit, including NUL bytes and lone surrogates.
  const unit = fc.oneof(fc.constantFrom(0, 0xd800, 0xdc00), fc.integer({ min: 0, max: 0xffff }))
  const anyText = fc.string({ unit: unit.map(code => String.fromCharCode(code)) })
  const json = fc.jsonValue({ stringUnit: unit.map(code => String.fromCharCode(code)) })

  it('is accepted or refused as a draft without an exception', () => {
    fc.assert(
      fc.property(json, input => {
        expect(typeof draftSchema.safeParse(input).success).toBe('boolean')
      }),
    )
  })

  it('in the fields of a draft is refused unless it can be stored and parsed the same again', () => {
    const orJson = (field: fc.Arbitrary<unknown>) => fc.oneof({ weight: 9, arbitrary: field }, json)
    const answer = fc.record(
      {
        id: orJson(fc.constantFrom('q1', 'q2', 'q3', 'q4')),
        selected: orJson(fc.array(fc.string())),
        text: orJson(fc.option(anyText)),
        note: orJson(fc.option(fc.string())),
      },
      { requiredKeys: ['id'] },
    )
    const draft = fc.record(
      { answers: orJson(fc.array(answer, { maxLength: 4 })), note: orJson(fc.option(fc.string())), by: fc.string() },
      { requiredKeys: ['answers'] },
    )
    const accepted = { count: 0 }
    fc.assert(
      fc.property(draft, input => {
        const result = draftSchema.safeParse(input)
        if (!result.success) {
          expect(result.error.issues.length).toBeGreaterThan(0)
          return
        }
        accepted.count += 1
        const { data } = result
        expect(textsOf(data).filter(text => textProblem(text, limits.text))).toEqual([])
        expect(new Set(data.answers.map(({ id }) => id)).size).toBe(data.answers.length)
        expect(draftSchema.parse(JSON.parse(JSON.stringify(data)))).toEqual(data)
      }),
      { numRuns: 500 },
    )
    expect(accepted.count).toBeGreaterThan(0)
  })
})

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : []
}

function pathsOf(input: unknown): string[] {
  return draftSchema.safeParse(input).error?.issues.map(issue => issue.path.join('.')) ?? []
}
