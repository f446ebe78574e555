import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askSchemas } from '../../src/protocol/ask.ts'
import { limits } from '../../src/protocol/limits.ts'
import { kinds } from '../../src/protocol/status.ts'
import { textProblem } from '../../src/protocol/text.ts'

const asks = {
  question: { kind: 'question', questions: [{ question: 'Ship it?', options: ['yes', { label: 'no' }] }] },
  dependency: { kind: 'dependency', type: 'api_key', name: 'OPENAI_API_KEY', description: 'To call the model' },
  approval: { kind: 'approval', action: { command: 'rm -rf build', cwd: '/work', digest: 'sha256:1' } },
  review: { kind: 'review', title: 'Phase 1', files: ['a.md'] },
} as const

describe('an ask', () => {
  it.each(kinds)('of kind %s gets every default', kind => {
    expect(askSchemas[kind].parse(asks[kind])).toMatchObject({ kind, required: true, agent: {} })
  })

  it('without a kind is a question', () => {
    expect(askSchemas.question.parse({ questions: [{ question: 'Ship it?' }] })).toEqual({
      kind: 'question',
      required: true,
      agent: {},
      canReply: false,
      attachments: [],
      questions: [{ question: 'Ship it?', options: [], multiSelect: false }],
    })
  })

  it('can give an option as only its label', () => {
    const [question] = askSchemas.question.parse(asks.question).questions
    expect(question?.options).toEqual([
      { label: 'yes', description: '', preview: '' },
      { label: 'no', description: '', preview: '' },
    ])
  })

  it('keeps a default that is an empty text', () => {
    const [question] = askSchemas.question.parse({ questions: [{ question: 'Name?', default: '' }] }).questions
    expect(question?.default).toBe('')
  })

  it.each(kinds)('of kind %s is refused with the name of another kind', kind => {
    for (const other of [...kinds.filter(other => other !== kind), 'poll', '', '__proto__', 5]) {
      expect(pathsOf(kind, { ...asks[kind], kind: other })).toContain('kind')
    }
  })

  it.each(kinds)('of kind %s with an unknown field is refused, and the field is named', kind => {
    const { error } = askSchemas[kind].safeParse({ ...asks[kind], requird: false })
    expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', path: [], keys: ['requird'] }])
  })

  it('is refused with a __proto__ field', () => {
    const input = JSON.parse('{ "questions": [{ "question": "a" }], "__proto__": { "required": false } }')
    expect(askSchemas.question.safeParse(input).success).toBe(false)
  })
})

describe('an invalid field is refused by its path:', () => {
  const bad = [
    ['a NUL byte', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
    ['an over-long text', 'x'.repeat(limits.context + 1)],
  ] as const

  it.each(bad)('%s', (_, value) => {
    expect(pathsOf('question', { questions: [{ question: 'ok' }, { question: value }] })).toEqual([
      'questions.1.question',
    ])
    expect(pathsOf('question', question({ id: value }))).toEqual(['questions.0.id'])
    expect(pathsOf('question', question({ header: value }))).toEqual(['questions.0.header'])
    expect(pathsOf('question', question({ default: value }))).toEqual(['questions.0.default'])
    expect(pathsOf('question', question({ default: ['a', value] }))).toEqual(['questions.0.default.1'])
    expect(pathsOf('question', question({ options: ['a', value] }))).toEqual(['questions.0.options.1.label'])
    expect(pathsOf('question', question({ options: [{ label: value }] }))).toEqual(['questions.0.options.0.label'])
    expect(pathsOf('question', question({ options: [{ label: 'a', preview: value }] }))).toEqual([
      'questions.0.options.0.preview',
    ])
    for (const field of ['run', 'context', 'key']) {
      expect(pathsOf('question', { ...asks.question, [field]: value })).toEqual([field])
    }
    expect(pathsOf('question', { ...asks.question, agent: { path: ['main', value] } })).toEqual(['agent.path.1'])
    expect(pathsOf('dependency', { ...asks.dependency, name: value })).toEqual(['name'])
    expect(pathsOf('dependency', { ...asks.dependency, description: value })).toEqual(['description'])
    expect(pathsOf('approval', { ...asks.approval, action: { ...asks.approval.action, command: value } })).toEqual([
      'action.command',
    ])
    expect(pathsOf('review', { ...asks.review, title: value })).toEqual(['title'])
    expect(pathsOf('review', { ...asks.review, phase: value })).toEqual(['phase'])
    expect(pathsOf('review', { ...asks.review, files: ['a', value] })).toEqual(['files.1'])
  })

  it.each([-1, 0, 1e300, Number.NaN, '-5s', 'soon', '11w'.repeat(100), true, {}])('the timeout %j', timeout => {
    for (const kind of kinds) expect(pathsOf(kind, { ...asks[kind], timeout })).toEqual(['timeout'])
  })

  it('an unknown field in an option or a question', () => {
    expect(pathsOf('question', question({ multiselect: true }))).toEqual(['questions.0'])
    expect(pathsOf('question', question({ options: [{ label: 'a', desc: 'b' }] }))).toEqual(['questions.0.options.0'])
  })

  it('an unknown enum value', () => {
    expect(pathsOf('question', question({ category: 'other' }))).toEqual(['questions.0.category'])
    expect(pathsOf('question', { ...asks.question, onTimeout: 'explode' })).toEqual(['onTimeout'])
    expect(pathsOf('dependency', { ...asks.dependency, type: 'token' })).toEqual(['type'])
  })

  it('too many or too few items', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `o${index}`)
    expect(pathsOf('question', question({ options: many(limits.options) }))).toEqual([])
    expect(pathsOf('question', question({ options: many(limits.options + 1) }))).toEqual(['questions.0.options'])
    expect(pathsOf('question', { questions: [] })).toEqual(['questions'])
    expect(pathsOf('question', { questions: many(limits.questions + 1).map(question => ({ question })) })).toEqual([
      'questions',
    ])
    expect(pathsOf('review', { ...asks.review, files: many(limits.files + 1) })).toEqual(['files'])
  })

  it('each of several fields', () => {
    const paths = pathsOf('dependency', { ...asks.dependency, type: 'token', name: ' ', timeout: -1 })
    expect(paths.sort()).toEqual(['name', 'timeout', 'type'])
  })
})

describe('arbitrary JSON', () => {
  // Any UTF-16 unit, including NUL bytes and lone surrogates.
  const unit = fc.oneof(fc.constantFrom(0, 0xd800, 0xdc00), fc.integer({ min: 0, max: 0xffff }))
  const json = fc.jsonValue({ stringUnit: unit.map(code => String.fromCharCode(code)) })

  it.each(kinds)('is accepted or refused as a %s without an exception', kind => {
    fc.assert(
      fc.property(json, input => {
        expect(typeof askSchemas[kind].safeParse(input).success).toBe('boolean')
      }),
    )
  })

  it.each(kinds)('in the fields of a %s is refused unless it can be stored', kind => {
    const fields = Object.keys(askSchemas[kind].shape)
    const changes = fc.dictionary(fc.constantFrom(...fields), json)
    fc.assert(
      fc.property(changes, changes => {
        const result = askSchemas[kind].safeParse({ ...asks[kind], ...changes })
        if (result.success) expect(textsOf(result.data).filter(text => textProblem(text, limits.text))).toEqual([])
        else expect(result.error.issues.length).toBeGreaterThan(0)
      }),
    )
  })

  it('is parsed the same a second time', () => {
    const options = fc.array(fc.oneof(fc.string(), fc.record({ label: fc.string(), description: fc.string() })))
    fc.assert(
      fc.property(fc.string(), options, (text, options) => {
        const once = askSchemas.question.safeParse({ questions: [{ question: text, options }] })
        if (once.success) expect(askSchemas.question.parse(once.data)).toEqual(once.data)
      }),
    )
  })
})

function question(fields: object): object {
  return { questions: [{ question: 'Ship it?', ...fields }] }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : []
}

function pathsOf(kind: keyof typeof askSchemas, input: unknown): string[] {
  return askSchemas[kind].safeParse(input).error?.issues.map(issue => issue.path.join('.')) ?? []
}
