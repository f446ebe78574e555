import { expect, it } from 'vitest'
import { toAsk } from '../../src/blocks/block-to-ask.ts'
import type { DependencyItem, PhaseItem, QuestionItem } from '../../src/blocks/index.ts'
import { parseAsk } from '../../src/rules/parse-ask.ts'
import { asksWith, needs } from './corpus/case.ts'
import { scan } from './scan.ts'

const ask = (output: string) => toAsk(scan([Buffer.from(output)])[0] as QuestionItem | DependencyItem | PhaseItem)

it('turns a block with options into a question that accepts only them', () => {
  expect(ask(asksWith('options: [a, b]', 'default: b', 'required: no', 'timeout: 5m'))).toEqual({
    kind: 'question',
    required: false,
    questions: [{ question: 'Which?', category: 'choice', options: ['a', 'b'], allowOther: false, default: 'b' }],
    timeout: 300_000,
  })
})

it('turns a block without options into a question that is answered in words', () => {
  const asked = ask(asksWith())
  expect(asked).toMatchObject({ required: true, questions: [{ options: [], allowOther: true, default: null }] })
  expect(asked).not.toHaveProperty('timeout')
})

it('keeps "timeout: none" as no deadline', () => {
  expect(ask(asksWith('timeout: none'))).toHaveProperty('timeout', null)
})

it('refers to a default by position if its label is the number of another option', () => {
  const asked = ask(asksWith('options: [0, 1, 2]', 'default: #2'))
  expect(asked).toMatchObject({ questions: [{ default: '#2' }] })
  expect(parseAsk(asked).body).toMatchObject({ questions: [{ default: '1' }] })
})

it('turns a dependency block into a dependency', () => {
  const output = needs('type: file', 'name: LOGO', 'description: The logo', 'required: false', 'timeout: 90s')
  expect(ask(output)).toEqual({
    kind: 'dependency',
    type: 'file',
    name: 'LOGO',
    description: 'The logo',
    required: false,
    timeout: 90_000,
  })
})

it('turns a completed phase into a review', () => {
  const asked = ask(
    '=== PHASE 2 COMPLETE ===\nCompleted: Phase 2 (Design)\nFiles created:\n- a.md\nReady for review.\n',
  )
  expect(asked).toEqual({ kind: 'review', phase: 2, title: 'Design', files: ['a.md'] })
  expect(parseAsk(asked).ask).toMatchObject({ kind: 'review', phase: 2 })
  expect(ask('=== PHASE 2 COMPLETE ===\nCompleted:\n- the tables\nSummary: No joins\nReady for review.\n')).toEqual({
    kind: 'review',
    phase: 2,
    title: 'Phase 2',
    files: [],
    context: '- the tables\n\nNo joins',
  })
})
