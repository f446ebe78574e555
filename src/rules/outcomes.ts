import {
  type AnswerGiven,
  canonicalJson,
  type Edited,
  type Outcome,
  type Question,
  type Request,
  type RuleScope,
  type SettledStatus,
} from '../protocol/index.ts'

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

/** Whether somebody still has to act on the answer: run the approved command, or use the value. `use` then delivers it. */
export function endsInEffect({ kind, status }: Pick<Request, 'kind' | 'status'>): boolean {
  return (kind === 'dependency' || kind === 'approval') && status === 'answered'
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
