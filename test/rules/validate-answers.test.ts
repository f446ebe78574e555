import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Question } from '../../src/protocol/index.ts'
import { normaliseAnswers, validateAnswer } from '../../src/rules/validate-answers.ts'

describe('validateAnswer, with the tests of the specification,', () => {
  it('should validate answer from options', () => {
    const question = { options: ['Subscription', 'Freemium', 'Ad-based'], required: true }
    expect(validateAnswer(question, 'Freemium').valid).toBe(true)
  })

  it('should reject answer not in options', () => {
    const result = validateAnswer({ options: ['Subscription', 'Freemium'], required: true }, 'Other')
    expect(result).toMatchObject({ valid: false, error: expect.stringContaining('must be one of') })
  })

  it('should reject empty answer for required question', () => {
    const result = validateAnswer({ required: true }, '')
    expect(result).toMatchObject({ valid: false, error: expect.stringContaining('required') })
  })
})

describe('validateAnswer', () => {
  const fruit = { options: ['Apple', 'Pear', 'Yes, full editing'], required: true }

  it.each([
    ['a label', 'Pear', 'Pear'],
    ['a label with space around it', '  Pear\n', 'Pear'],
    ['a label with a comma', 'Yes, full editing', 'Yes, full editing'],
    ['a number', '2', 'Pear'],
    ['a marked number', '#2', 'Pear'],
    ['a label in another case, if only one matches', 'pear', 'Pear'],
  ])('accepts %s', (_, given, chosen) => {
    expect(validateAnswer(fruit, given)).toEqual({ valid: true, selected: [chosen], text: null })
  })

  it.each(['Pea', '0', '4', '-1', '2abc', '1,2', '1.0', 'Apple, Pear', '１'])('refuses %s', given => {
    expect(validateAnswer(fruit, given)).toMatchObject({ valid: false })
  })

  it('accepts Hangul in every normalization form', () => {
    const question = { options: ['프리미엄', '광고'] }
    expect(validateAnswer(question, '프리미엄'.normalize('NFD'))).toMatchObject({ selected: ['프리미엄'] })
  })

  it('accepts one of two options that differ only in case only if it matches exactly', () => {
    const question = { options: ['on', 'ON'] }
    expect(validateAnswer(question, 'On')).toMatchObject({ valid: false })
    expect(validateAnswer(question, 'ON')).toMatchObject({ selected: ['ON'] })
  })

  it('prefers a label that is its own number, refuses one that is the number of another, and takes #', () => {
    const retries = { options: ['0', '1', '2'] }
    expect(validateAnswer(retries, '0')).toMatchObject({ selected: ['0'] })
    expect(validateAnswer(retries, '3')).toMatchObject({ selected: ['2'] })
    expect(validateAnswer(retries, '1')).toMatchObject({ valid: false, error: expect.stringContaining('#2') })
    expect(validateAnswer(retries, '#2')).toMatchObject({ selected: ['1'] })
    expect(validateAnswer({ options: ['1', '2'] }, '2')).toMatchObject({ selected: ['2'] })
    expect(validateAnswer({ options: ['2024', '2025'] }, '2025')).toMatchObject({ selected: ['2025'] })
  })

  it('accepts several options only in a multiple choice, each once, in the order of the options', () => {
    expect(validateAnswer(fruit, ['1', '2'])).toMatchObject({ valid: false })
    const many = { ...fruit, multiSelect: true }
    expect(validateAnswer(many, ['2', 'Apple'])).toMatchObject({ selected: ['Apple', 'Pear'] })
    expect(validateAnswer(many, ['1', 'Apple'])).toMatchObject({ valid: false })
    expect(validateAnswer(many, [])).toMatchObject({ valid: false })
  })

  it.each([[''], [' \n'], [[]], [['']], [['', ' ']]])(
    'refuses %j for an optional question with options, and names skip',
    given => {
      for (const more of [{}, { multiSelect: true }, { allowOther: true }]) {
        const result = validateAnswer({ ...fruit, ...more, required: false }, given)
        expect(result).toEqual({ valid: false, error: expect.stringMatching(/one of: Apple, Pear, .*skip/) })
      }
    },
  )

  it('accepts the empty text as the answer to an optional question without options', () => {
    expect(validateAnswer({ required: false }, '')).toEqual({ valid: true, selected: [], text: '' })
  })

  it('never takes custom text as an option, even if custom text is allowed', () => {
    expect(validateAnswer({ ...fruit, allowOther: true }, 'Plum')).toMatchObject({ valid: false })
  })

  it('keeps free text unchanged', () => {
    expect(validateAnswer({}, '  two\n lines ')).toEqual({ valid: true, selected: [], text: '  two\n lines ' })
  })

  const label = fc.string({ minLength: 1, unit: 'grapheme' }).filter(text => text.trim() !== '')
  const labels = fc.uniqueArray(label, { minLength: 1, maxLength: 12, selector: text => text.trim().normalize('NFC') })

  it('never throws, and selects only options', () => {
    fc.assert(
      fc.property(
        labels,
        fc.boolean(),
        fc.oneof(fc.string(), fc.array(fc.string())),
        (options, multiSelect, answer) => {
          const result = validateAnswer({ options, multiSelect, required: true }, answer)
          if (!result.valid) return
          expect(result.selected.length).toBeGreaterThan(0)
          for (const chosen of result.selected) expect(options).toContain(chosen)
          if (!multiSelect) expect(result.selected).toHaveLength(1)
        },
      ),
    )
  })

  it('accepts every option by its number with #', () => {
    fc.assert(
      fc.property(labels, fc.nat(), (options, n) => {
        const i = n % options.length
        if (options.some(option => option.trim() === `#${i + 1}`)) return
        expect(validateAnswer({ options }, `#${i + 1}`)).toMatchObject({ selected: [options[i]] })
      }),
    )
  })
})

describe('normaliseAnswers', () => {
  const question = (differs: Partial<Question> = {}): Question => ({
    id: 'q1',
    question: 'Which?',
    header: '',
    category: null,
    options: ['a', 'b'].map(label => ({ label, description: '', preview: '' })),
    multiSelect: false,
    allowOther: true,
    default: null,
    ...differs,
  })
  const normalise = (questions: Question[], input: object, required = true) =>
    normaliseAnswers(questions, required, { keep: false, ...input })

  it('returns an option together with its custom text', () => {
    expect(normalise([question()], { answers: [{ value: 'a', text: 'mostly', note: 'n' }] })).toEqual({
      answers: [{ id: 'q1', selected: ['a'], text: 'mostly', note: 'n' }],
    })
  })

  it('refuses custom text if it is not allowed', () => {
    const result = normalise([question({ allowOther: false })], { answers: [{ text: 'c' }] })
    expect(result).toEqual({ problems: [{ path: 'answer', message: expect.stringContaining('only its options') }] })
  })

  it.each([
    ['an unknown question', [{ id: 'q9', value: 'a' }], 'answers[0].id'],
    [
      'a question answered twice',
      [
        { id: 'q1', value: 'a' },
        { id: 'q1', value: 'b' },
      ],
      'answers[1].id',
    ],
    ['a missing id among several questions', [{ value: 'a' }], 'answers[0].id'],
  ])('reports the path of %s', (_, answers, path) => {
    const questions = [question(), question({ id: 'q2', question: 'And?' })]
    const result = normalise(questions, { answers }, false)
    expect(result).toMatchObject({ problems: expect.arrayContaining([expect.objectContaining({ path })]) })
  })

  const empty = [{ value: '' }, { value: ' ' }, { value: [] }, { selected: [] }, { text: '' }, { text: null }, {}]

  it.each([...empty, { note: 'later' }])('refuses %j for an optional question with options, and names skip', entry => {
    for (const differs of [{}, { allowOther: false }, { multiSelect: true }]) {
      const result = normalise([question(differs)], { answers: [entry] }, false)
      expect(result).toEqual({ problems: [{ path: 'answer', message: expect.stringMatching(/one of: a, b.*skip/) }] })
    }
  })

  it.each([{}, { text: null }, { note: 'later' }])('never takes %j for an empty text', entry => {
    const result = normalise([question({ options: [] })], { answers: [entry] }, false)
    expect(result).toEqual({ problems: [{ path: 'answers', message: expect.stringContaining('skip') }] })
  })

  it('leaves empty questions of an optional batch unanswered, and refuses the batch if all are empty', () => {
    const questions = [question(), question({ id: 'q2', question: 'And?' }), question({ id: 'q3', options: [] })]
    for (const entry of empty) {
      const some = normalise(
        questions,
        {
          answers: [
            { id: 'q1', value: 'b' },
            { ...entry, id: 'q2' },
          ],
        },
        false,
      )
      expect(some).toMatchObject({
        answers: [{ selected: ['b'] }, { selected: [], text: null }, { selected: [], text: null }],
      })
      const none = normalise(questions, { answers: ['q1', 'q2', 'q3'].map(id => ({ ...entry, id })) }, false)
      expect(none).toEqual({ problems: [{ path: 'answers', message: expect.stringContaining('skip') }] })
      const required = normalise(questions, {
        answers: [
          { id: 'q1', value: 'b' },
          { ...entry, id: 'q2' },
        ],
      })
      expect(required).toMatchObject({ problems: [{ path: 'answers.q2' }, { path: 'answers.q3' }] })
    }
  })

  it('settles no optional question with options without an option or a text', () => {
    const value = fc.oneof(fc.constantFrom('', ' ', 'a', '1', 'c'), fc.array(fc.constantFrom('', 'a', 'b')))
    const entry = fc.record(
      { value, selected: fc.array(fc.constantFrom('', 'a', 'b')), text: fc.constantFrom(null, '', ' ', 'mine') },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 3 }), fc.boolean(), (entries, allowOther) => {
        const questions = entries.map((_, i) => question({ id: `q${i}`, multiSelect: i === 1, allowOther }))
        const result = normalise(questions, { answers: entries.map((one, i) => ({ ...one, id: `q${i}` })) }, false)
        if ('problems' in result) return
        const given = result.answers.map(({ selected, text }) => [...selected, ...(text === null ? [] : [text])])
        expect(given.flat().length).toBeGreaterThan(0)
        for (const one of given.flat()) expect(one.trim()).not.toBe('')
      }),
    )
  })

  it('refuses inexact labels in selected', () => {
    for (const selected of [['A'], ['1'], [' a'], ['a', 'b']]) {
      expect(normalise([question()], { answers: [{ selected }] })).toHaveProperty('problems')
    }
  })
})
