import type { AnswerGiven, Outcome } from '../../protocol/answer.ts'
import type { Question, QuestionRequest } from '../../protocol/request.ts'

/** The result of one question. Labels are separate here, because a label may contain a comma. */
interface Detail {
  header: string
  question: string
  selected: string[]
  text: string | null
  note: string | null
  /** How the request was settled; `unanswered` where the person answered other questions and left this one out. */
  status: Outcome['status'] | 'unanswered'
}

/** The document on stdout. Without an answer, it says how the request was settled, and by whom. */
export interface Result extends Partial<Pick<Outcome, 'by' | 'channel' | 'reason'>> {
  answers: Record<string, string>
  details: Detail[]
  status?: Outcome['status']
  id?: string
  note?: string | null
}

export function resultOf({ id, questions, outcome }: QuestionRequest): Result {
  if (!outcome) throw new Error(`${id} is not settled.`)
  const given = new Map(outcome.answers.map(answer => [answer.id, answer]))
  const results = questions.map(question => ({ question, answer: given.get(question.id) }))
  const answered = results.filter(({ answer }) => hasValue(answer))
  const { status, by, channel, reason, note } = outcome
  const details = results.map(({ question, answer }) => detailOf(question, answer, outcome))
  if (answered.length === 0) return { answers: {}, details, status, id, by, channel, reason, note }
  return {
    answers: Object.fromEntries(
      answered.map(({ question, answer }) => [headerOrQuestion(question), formatAnswer(question, answer)]),
    ),
    details,
    ...(note === null ? {} : { note }),
  }
}

function detailOf({ header, question }: Question, answer: AnswerGiven | undefined, { status }: Outcome): Detail {
  const { selected = [], text = null, note = null } = answer ?? {}
  const leftOut = status === 'answered' && !hasValue(answer)
  return { header, question, selected, text, note, status: leftOut ? 'unanswered' : status }
}

/** Other commands may ask without a header; then the question names the answer. */
function headerOrQuestion({ header, question }: Question): string {
  return header || question
}

function formatAnswer({ options }: Question, answer: AnswerGiven | undefined): string {
  const { selected = [], text = null } = answer ?? {}
  // Without options, the text is the answer itself, not an "Other".
  const own = text === null ? [] : [options.length === 0 ? text : `Other (custom: ${text})`]
  return [...selected, ...own].join(', ')
}

function hasValue(answer: AnswerGiven | undefined): boolean {
  return answer !== undefined && (answer.selected.length > 0 || answer.text !== null)
}
