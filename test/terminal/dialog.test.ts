import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerForm } from '../../src/form/answer-form.ts'
import type { Request } from '../../src/protocol/request.ts'
import { describeRequest } from '../../src/terminal/describe-request.ts'
import type { Key } from '../../src/terminal/keys.ts'
import { paint } from '../../src/terminal/paint.ts'
import { Dialog, type Effect } from '../../src/terminal/rich/dialog.ts'
import { pressKey } from '../../src/terminal/rich/press-key.ts'
import { view } from '../../src/terminal/rich/view.ts'
import { widthOfLine } from '../../src/text/styled.ts'
import { key } from './key.ts'
import { aDependency, anApproval, aQuestion, aRequest, aReview } from './requests.ts'

const named = [
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'return',
  'enter',
  'escape',
  'tab',
  'backspace',
  'delete',
  'space',
  'pageup',
  'pagedown',
]

/** `up`, `^x`, `⇧tab`, or a text that is typed letter by letter. */
function keysOf(...steps: string[]): Key[] {
  return steps.flatMap(step => {
    if (step.startsWith('^')) return [key({ name: step.slice(1), ctrl: true })]
    if (step === '⇧tab') return [key({ name: 'tab', shift: true })]
    if (step === 'space') return [key({ name: 'space', text: ' ' })]
    if (named.includes(step)) return [key({ name: step })]
    return [...step].map(text => key({ name: text.toLowerCase(), text }))
  })
}

function press(dialog: Dialog, ...steps: string[]): Effect | null {
  let last: Effect | null = null
  for (const one of keysOf(...steps)) last = pressKey(dialog, one)
  return last
}

function decision(effect: Effect | null) {
  return effect !== null && typeof effect === 'object' && 'decide' in effect ? effect.decide : null
}

const labels = ['PostgreSQL', 'SQLite', 'MongoDB']

describe('a question with options', () => {
  const fresh = (more = {}) => new Dialog(new AnswerForm(aRequest([aQuestion({ labels, ...more })])))

  it('chooses the highlighted option on Enter', () => {
    expect(decision(press(fresh(), 'down', 'down', 'return'))).toEqual({
      verb: 'answer',
      input: { answers: [{ id: 'q1', selected: ['SQLite'] }] },
    })
  })

  it('highlights the option of a number and waits for Enter', () => {
    const dialog = fresh()
    expect(press(dialog, '3')).toBeNull()
    expect(decision(press(dialog, 'return'))).toMatchObject({ input: { answers: [{ selected: ['MongoDB'] }] } })
  })

  it.each([
    ['nothing', []],
    ['a number without an option', ['9']],
    ['a zero if custom answers are not allowed', ['0']],
    ['a number and more', ['2abc']],
    ['two numbers for a single choice', ['1,3']],
    ['white space', ['space']],
  ])('does not accept Enter as an answer after %s', (_, steps) => {
    const dialog = fresh()
    expect(press(dialog, ...steps, 'return')).toBeNull()
    expect(dialog.form.isBlank(0)).toBe(true)
    expect(dialog.message).not.toBeNull()
  })

  it.each(['0', 'other'])('opens the custom answer when %s is typed', word => {
    const dialog = fresh({ allowOther: true })
    expect(decision(press(dialog, word, 'return', 'mine', 'return'))).toMatchObject({
      input: { answers: [{ selected: [], text: 'mine' }] },
    })
  })

  it('filters the options by the typed text', () => {
    const dialog = fresh()
    press(dialog, 'mongo')
    expect(dialog.list.rows()).toEqual([{ kind: 'option', position: 2 }])
    expect(decision(press(dialog, 'return'))).toMatchObject({ input: { answers: [{ selected: ['MongoDB'] }] } })
  })

  it('chooses nothing if no option matches', () => {
    const dialog = fresh()
    expect(press(dialog, 'zzz', 'return')).toBeNull()
    press(dialog, 'escape')
    expect(dialog.list.rows()).toHaveLength(3)
  })

  it.each([
    ['9', 'There is no option 9. Enter a number from 1 to 3.'],
    ['0', 'An answer of your own is not possible here. Enter a number from 1 to 3.'],
  ])('says that there is no option %s, and filters nothing', (digit, said) => {
    const dialog = fresh()
    press(dialog, digit)
    expect(dialog.message).toBe(said)
    expect(dialog.list.rows()).toHaveLength(3)
  })

  it('filters by a digit that a label contains', () => {
    const dialog = fresh({ labels: ['Node 18', 'Node 20'] })
    press(dialog, '8')
    expect(dialog.list.rows()).toEqual([{ kind: 'option', position: 0 }])
  })

  it('highlights the default at the start', () => {
    expect(decision(press(fresh({ default: 'SQLite' }), 'return'))).toMatchObject({
      input: { answers: [{ selected: ['SQLite'] }] },
    })
  })

  it('never accepts a pasted Enter as a choice', () => {
    const dialog = fresh()
    expect(pressKey(dialog, key({ name: 'return', pasted: true }))).toBeNull()
    expect(dialog.form.isBlank(0)).toBe(true)
  })

  it('keeps a custom answer while moving around', () => {
    const dialog = fresh({ allowOther: true })
    press(dialog, 'end', 'return', 'half a thought', 'escape', 'home')
    expect(dialog.form.entry(0).text).toBe('half a thought')
    expect(dialog.form.isBlank(0)).toBe(true)
    expect(decision(press(dialog, 'end', 'return', ', whole', 'enter', 'second line', 'return'))).toEqual({
      verb: 'answer',
      input: { answers: [{ id: 'q1', selected: [], text: 'half a thought, whole\nsecond line' }] },
    })
  })

  it('sends a note with the answer', () => {
    expect(decision(press(fresh(), 'tab', 'for now', 'return', '1', 'return'))).toEqual({
      verb: 'answer',
      input: { answers: [{ id: 'q1', selected: ['PostgreSQL'], note: 'for now' }] },
    })
  })

  it('returns from a note to the text it belongs to', () => {
    const dialog = new Dialog(new AnswerForm(aRequest([aQuestion()])))
    press(dialog, 'my answer', 'tab', 'a note', 'return')
    expect(dialog.editor.text).toBe('my answer')
    press(dialog, '^x', 'no', 'escape')
    expect(decision(press(dialog, 'return'))).toEqual({
      verb: 'answer',
      input: { answers: [{ id: 'q1', text: 'my answer', note: 'a note' }] },
    })
  })

  it('declines only with a reason', () => {
    const dialog = fresh()
    expect(press(dialog, '^x', 'return')).toBeNull()
    expect(decision(press(dialog, 'not now', 'return'))).toEqual({ verb: 'decline', reason: 'not now' })
  })

  it('skips only an optional request, and only after a confirmation', () => {
    expect(press(fresh(), '^s', 'return')).not.toEqual({ decide: { verb: 'skip', note: null } })
    const optional = new Dialog(new AnswerForm(aRequest([aQuestion({ labels })], false)))
    expect(press(optional, '^s')).toBeNull()
    expect(decision(press(optional, 'return'))).toEqual({ verb: 'skip', note: null })
  })

  it('asks for confirmation before an empty answer skips the request', () => {
    const dialog = new Dialog(new AnswerForm(aRequest([aQuestion()], false)))
    expect(press(dialog, 'return')).toBeNull()
    expect(dialog.focus).toBe('skip')
    press(dialog, 'escape')
    expect(dialog.focus).toBe('text')
    expect(decision(press(dialog, 'return', 'return'))).toEqual({ verb: 'skip', note: null })
  })

  it.each([
    ['held down', { held: true }],
    ['with Alt, as Esc and Enter together are', { alt: true }],
    ['with Ctrl', { ctrl: true }],
    ['out of a paste', { pasted: true }],
    ['together with words', { hasty: true }],
  ])('ignores an Enter %s', (_, how) => {
    const dialog = fresh()
    press(dialog, '1')
    expect(pressKey(dialog, key({ name: 'return', ...how }))).toBeNull()
    expect(decision(press(dialog, 'return'))).toMatchObject({ input: { answers: [{ selected: ['PostgreSQL'] }] } })
  })

  it('does not send a batch of defaults while Enter is held down', () => {
    const both = [
      aQuestion({ id: 'q1', labels, default: 'SQLite' }),
      aQuestion({ id: 'q2', labels, default: 'SQLite' }),
    ]
    const dialog = new Dialog(new AnswerForm(aRequest(both)))
    pressKey(dialog, key({ name: 'return' }))
    for (let i = 0; i < 10; i += 1) expect(pressKey(dialog, key({ name: 'return', held: true }))).toBeNull()
    expect(dialog.step).toBe(1)
    expect(dialog.form.isBlank(1)).toBe(true)
  })

  it('treats everything pasted into a text as text', () => {
    const dialog = new Dialog(new AnswerForm(aRequest([aQuestion()])))
    for (const name of ['x', 's', 'd']) expect(pressKey(dialog, key({ name, ctrl: true, pasted: true }))).toBeNull()
    pressKey(dialog, key({ name: 'escape', pasted: true }))
    pressKey(dialog, key({ name: 'a', text: 'a', pasted: true }))
    expect(dialog.focus).toBe('text')
    expect(dialog.editor.text).toBe('a')
  })

  it('can be left with Ctrl-C during a paste that never ends', () => {
    expect(pressKey(fresh(), key({ name: 'c', ctrl: true, pasted: true }))).toBe('leave')
  })

  it('finds one of many options by its number', () => {
    const dialog = fresh({
      labels: undefined,
      options: Array.from({ length: 12 }, (_, i) => ({ label: `v${12 - i}`, description: '', preview: '' })),
    })
    expect(decision(press(dialog, '3', 'return'))).toMatchObject({ input: { answers: [{ selected: ['v10'] }] } })
  })

  it('folds on Esc and unfolds unchanged', () => {
    const dialog = fresh()
    expect(press(dialog, 'down', 'down', 'escape')).toBe('fold')
    dialog.fold()
    press(dialog, '3', 'down')
    press(dialog, 'return')
    expect(dialog.focus).toBe('list')
    expect(decision(press(dialog, 'return'))).toMatchObject({ input: { answers: [{ selected: ['SQLite'] }] } })
  })
})

describe('a question with several choices', () => {
  const fresh = (more = {}) => new Dialog(new AnswerForm(aRequest([aQuestion({ labels, multiSelect: true, ...more })])))

  it('chooses several options with Space and continues with Enter', () => {
    expect(decision(press(fresh(), 'space', 'end', 'space', 'return'))).toMatchObject({
      input: { answers: [{ selected: ['PostgreSQL', 'MongoDB'] }] },
    })
  })

  it('accepts 1,3 as two choices', () => {
    expect(decision(press(fresh(), '1,3', 'return'))).toMatchObject({
      input: { answers: [{ selected: ['PostgreSQL', 'MongoDB'] }] },
    })
    expect(press(fresh(), '1,1', 'return')).toBeNull()
  })

  it('sends nothing until an option is chosen', () => {
    const dialog = fresh()
    expect(press(dialog, 'return')).toBeNull()
    expect(dialog.message).toContain('Space')
    expect(press(dialog, 'space', 'space', 'return')).toBeNull()
  })

  it('shows default choices as chosen and lets a person remove them', () => {
    expect(decision(press(fresh({ default: ['SQLite', 'MongoDB'] }), '2', 'return'))).toMatchObject({
      input: { answers: [{ selected: ['MongoDB'] }] },
    })
  })

  it('accepts a custom answer in addition to options', () => {
    const dialog = fresh({ allowOther: true })
    press(dialog, 'space', 'end', 'space', 'and mine')
    expect(decision(press(dialog, 'return'))).toMatchObject({
      input: { answers: [{ selected: ['PostgreSQL'], text: 'and mine' }] },
    })
  })
})

describe('a batch', () => {
  const questions = [
    aQuestion({ id: 'q1', labels: ['a', 'b'] }),
    aQuestion({ id: 'q2', labels: ['c', 'd'], multiSelect: true }),
    aQuestion({ id: 'q3' }),
  ]

  it('goes forward and back through a batch, and shows all answers before sending them', () => {
    const dialog = new Dialog(new AnswerForm(aRequest(questions)))
    press(dialog, '1', 'return', 'space', 'return', 'words')
    expect(press(dialog, 'return')).toBeNull()
    expect(dialog.focus).toBe('review')
    press(dialog, '1', 'down', 'return')
    expect(dialog.focus).toBe('review')
    expect(decision(press(dialog, 'return'))).toEqual({
      verb: 'answer',
      input: {
        answers: [
          { id: 'q1', selected: ['b'] },
          { id: 'q2', selected: ['c'] },
          { id: 'q3', text: 'words' },
        ],
      },
    })
  })

  it('keeps an unfinished text when going back', () => {
    const dialog = new Dialog(new AnswerForm(aRequest(questions)))
    press(dialog, '1', 'return', 'space', 'return', 'half', '⇧tab')
    expect(dialog.step).toBe(1)
    press(dialog, 'return')
    expect(dialog.editor.text).toBe('half')
  })
})

describe('other kinds of requests', () => {
  it.each(['high', 'critical'] as const)('approves an action of %s severity only by a typed word', severity => {
    const dialog = new Dialog(new AnswerForm(anApproval(severity)))
    expect(press(dialog, '1', 'return')).toBeNull()
    expect(press(dialog, 'return')).toBeNull()
    expect(press(dialog, 'y', 'return')).toBeNull()
    expect(decision(press(dialog, 'es', 'return'))).toMatchObject({ input: { answers: [{ selected: ['yes'] }] } })
  })

  it('does not decide an approval by a single Enter', () => {
    const dialog = new Dialog(new AnswerForm(anApproval('low')))
    expect(press(dialog, 'return', 'return')).toBeNull()
    expect(decision(press(dialog, '2', 'return'))).toMatchObject({ input: { answers: [{ selected: ['no'] }] } })
  })

  it('counts all rows of an approval when a number has none', () => {
    const dialog = new Dialog(new AnswerForm(anApproval('low')))
    expect(press(dialog, '9')).toBeNull()
    expect(dialog.message).toBe('There is no option 9. Enter a number from 1 to 4.')
    expect(press(dialog, '4', 'return')).toBeNull()
    expect(dialog.focus).toBe('decline')
  })

  it('approves a dangerous command only after all of it was on the screen', () => {
    const command = Array.from({ length: 60 }, (_, i) => `echo ${i}`).join('\n')
    const request = anApproval('critical', command)
    const dialog = new Dialog(new AnswerForm(request))
    const draw = () => view(dialog, { columns: 80, rows: 24 }, { head: describeRequest(request, 80) })
    draw()
    press(dialog, '1', 'return', 'yes')
    draw()
    expect(press(dialog, 'return')).toBeNull()
    expect(dialog.message).toContain('more lines above: press PgUp')
    for (let i = 0; i < 10; i += 1) {
      press(dialog, 'pageup')
      draw()
    }
    expect(decision(press(dialog, 'return'))).toMatchObject({ input: { answers: [{ selected: ['yes'] }] } })
  })

  it('marks folds in a command and counts its empty lines', () => {
    const text = (command: string) => describeRequest(anApproval('low', command), 40).map(line => paint(line, false))
    const long = `git log # ${'show all of the '.repeat(3)}rm -rf ~/work`
    expect(text(long).filter(line => line.startsWith('↪ ')).length).toBeGreaterThan(0)
    expect(text(long)).not.toEqual(text(long.replace(' rm', '\nrm')))
    expect(text(`rm -rf ~/work; #${'\n'.repeat(300)}ls`)).toEqual(
      expect.arrayContaining(['  (299 empty lines)', '  (301 lines in total)']),
    )
    expect(text('rm -rf /tmp/a\u00a0/b').join('')).toContain('\\u00a0')
  })

  it('shows every changed file of a review with numbered lines', () => {
    const diff =
      'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -9,2 +9,2 @@\n same\n-old\n+new \u202e\n'
    const shown = describeRequest({ ...aReview(), diff } as Request, 40).map(line => paint(line, false))
    expect(shown).toEqual(expect.arrayContaining(['src/a.ts  +1 −1', '   9  same', '  10 -old', '  10 +new \\u202e']))
    // Once: the list of named files is for reviews without a diff.
    expect(shown.join('\n')).not.toContain('  a.ts')
  })

  it('asks what should be changed when a review requests changes', () => {
    const dialog = new Dialog(new AnswerForm(aReview()))
    expect(press(dialog, '2', 'return', 'return')).toBeNull()
    expect(decision(press(dialog, 'the names', 'return'))).toMatchObject({
      input: { answers: [{ selected: ['changes'], text: 'the names' }] },
    })
  })

  it('neither shows a secret nor saves it in a draft', () => {
    const dialog = new Dialog(new AnswerForm(aDependency('api_key')))
    press(dialog, 'sk-canary')
    const shown = view(dialog, { columns: 80, rows: 24 })
      .lines.flat()
      .map(span => span.text)
    expect(shown.join('')).not.toContain('canary')
    expect(dialog.form.answers()).toEqual([])
    expect(decision(press(dialog, 'return'))).toEqual({ verb: 'answer', input: { value: 'sk-canary', note: null } })
  })
})

describe('any sequence of keys', () => {
  const anyKey = fc.oneof(
    fc.constantFrom(...named).map(name => key({ name })),
    fc.constantFrom('x', 's', 'u', 'j', 'w', 'a', 'e', 'k').map(name => key({ name, ctrl: true })),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).map(text => key({ name: text, text })),
    fc.constantFrom('1', '2', '3', '0', 'y').map(text => key({ name: text, text })),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }).map(text => key({ text, pasted: true })),
    fc.constant(key({ name: 'return', pasted: true })),
  )
  const anyRequest = fc.oneof(
    fc
      .record({
        count: fc.integer({ min: 1, max: 3 }),
        labels: fc.uniqueArray(
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter(s => s.trim() !== ''),
          { maxLength: 12, selector: s => s.trim().normalize('NFC').toLowerCase() },
        ),
        multiSelect: fc.boolean(),
        allowOther: fc.boolean(),
        required: fc.boolean(),
      })
      .map(({ count, required, ...question }) =>
        aRequest(
          Array.from({ length: count }, (_, i) => aQuestion({ ...question, id: `q${i + 1}`, question: `Q${i}?` })),
          required,
        ),
      ),
    fc.constantFrom('low' as const, 'critical' as const).map(severity => anApproval(severity)),
    fc.constant(aReview()),
    fc.constantFrom('api_key' as const, 'permission' as const, 'package' as const).map(type => aDependency(type)),
  )

  it('decides only by a typed Enter, and always draws what fits the screen', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(
        anyRequest,
        fc.array(anyKey, { maxLength: 40 }),
        fc.integer({ min: 20, max: 120 }),
        (request, keys, columns) => {
          const dialog = new Dialog(new AnswerForm(request))
          for (const one of keys) {
            const effect = pressKey(dialog, one)
            if (effect === 'fold') dialog.fold()
            const frame = view(dialog, { columns, rows: 20 })
            expect(frame.lines.length).toBeLessThanOrEqual(20)
            for (const drawn of frame.lines) expect(widthOfLine(drawn)).toBeLessThanOrEqual(columns)
            const decided = decision(effect)
            if (!decided) continue
            expect(one.pasted).toBe(false)
            expect(one.name).toBe('return')
            if (decided.verb === 'skip') expect(request.required).toBe(false)
            if (decided.verb === 'answer') expect(dialog.form.firstProblem()).toBeNull()
            return
          }
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
