import type { AnswerGiven, Outcome } from '../../protocol/answer.ts'
import type { Question, QuestionRequest } from '../../protocol/request.ts'

/** What came of one question. Labels stand apart here, so that a comma in one of them misleads nobody. */
interface Detail {
  header: string
  question: string
  selected: string[]
  text: string | null
  note: string | null
  /** How the request was settled; `unanswered` where a person answered others and left this one out. */
  status: Outcome['status'] | 'unanswered'
}

/** The document on stdout. Where nothing was chosen, it says how it ended instead, and by whom. */
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
    answers: Object.fromEntries(answered.map(({ question, answer }) => [nameOf(question), textOf(question, answer)])),
    details,
    ...(note === null ? {} : { note }),
  }
}

function detailOf({ header, question }: Question, answer: AnswerGiven | undefined, { status }: Outcome): Detail {
  const { selected = [], text = null, note = null } = answer ?? {}
  const leftOut = status === 'answered' && !hasValue(answer)
  return { header, question, selected, text, note, status: leftOut ? 'unanswered' : status }
}

/** Other commands may ask without a header; then the question is its own name. */
function nameOf({ header, question }: Question): string {
  return header || question
}

function textOf({ options }: Question, answer: AnswerGiven | undefined): string {
  const { selected = [], text = null } = answer ?? {}
  // Without options, text is the answer itself and nothing other.
  const own = text === null ? [] : [options.length === 0 ? text : `Other (custom: ${text})`]
  return [...selected, ...own].join(', ')
}

function hasValue(answer: AnswerGiven | undefined): boolean {
  return answer !== undefined && (answer.selected.length > 0 || answer.text !== null)
}
