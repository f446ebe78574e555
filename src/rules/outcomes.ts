import {
  type AnswerGiven,
  canonicalJson,
  type Edited,
  type Outcome,
  type Question,
  type RuleScope,
  type SettledStatus,
} from '../protocol/index.ts'

export { endsInEffect } from './ends-in-effect.ts'

/** Who decided, and through which channel. */
export interface Attribution {
  by: string
  channel: string
}

interface OutcomeParts {
  answers?: AnswerGiven[]
  reference?: string
  edited?: Edited | undefined
  always?: RuleScope | undefined
  note?: string | null | undefined
  reason?: string | null | undefined
}

export function outcome(
  status: SettledStatus,
  attribution: Attribution,
  at: number,
  parts: OutcomeParts = {},
): Outcome {
  return {
    status,
    answers: parts.answers ?? [],
    ...(parts.reference === undefined ? {} : { reference: parts.reference }),
    ...(parts.edited === undefined ? {} : { edited: parts.edited }),
    ...(parts.always === undefined ? {} : { always: parts.always }),
    by: attribution.by,
    channel: attribution.channel,
    at: new Date(at).toISOString(),
    note: parts.note?.trim() ? parts.note : null,
    reason: parts.reason?.trim() ? parts.reason : null,
  }
}

/** The reason of a no for which a person gave none. */
export const unexplained = { approval: 'Not approved', permission: 'Permission refused' } as const

export function isUnexplained(reason: string | null): boolean {
  return reason === null || reason === unexplained.approval || reason === unexplained.permission
}

/** The answers that the asker named for the case that nobody answers; none where it named none. */
export function defaultAnswers(questions: readonly Question[]): AnswerGiven[] {
  return questions.flatMap(question => {
    if (question.default === null) return []
    const values = typeof question.default === 'string' ? [question.default] : question.default
    const labels = question.options.map(option => option.label)
    const isText = values.some(value => !labels.includes(value))
    return [{ id: question.id, selected: isText ? [] : values, text: isText ? (values[0] ?? null) : null, note: null }]
  })
}

/** Whether two decisions are the same, whoever made them and on whatever channel: then the second is a replay. */
export function sameDecision(a: Outcome, b: Outcome): boolean {
  const same = (key: 'status' | 'note' | 'reason' | 'always') => a[key] === b[key]
  const sameEdit = canonicalJson(a.edited ?? null) === canonicalJson(b.edited ?? null)
  return (['status', 'note', 'reason', 'always'] as const).every(same) && sameEdit && sameAnswers(a.answers, b.answers)
}

function sameAnswers(a: readonly AnswerGiven[], b: readonly AnswerGiven[]): boolean {
  return JSON.stringify(a.map(canonical)) === JSON.stringify(b.map(canonical))
}

function canonical({ id, selected, text, note }: AnswerGiven) {
  return [id, selected, text, note]
}
