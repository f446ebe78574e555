import type { AnswerGiven, ParsedAnswer, Problem, Question, QuestionAnswer } from '../protocol/index.ts'

/** The part of a question that answering needs; options may be plain labels. */
export interface Answerable {
  options?: readonly (string | { label: string })[] | undefined
  multiSelect?: boolean
  allowOther?: boolean
  required?: boolean
}

export type ValidAnswer = { valid: true; selected: string[]; text: string | null }
export type InvalidAnswer = { valid: false; error: string }

/**
 * Whether this answers the question, and how. Options are chosen by label or by number (`#2` where a label looks like a
 * number), and by nothing else. Custom text beside options is not an answer here: it has its own field, so that a typing
 * error is never taken for an answer.
 */
export function validateAnswer(question: Answerable, answer: string | readonly string[]): ValidAnswer | InvalidAnswer {
  const values = typeof answer === 'string' ? [answer] : answer
  const labels = (question.options ?? []).map(option => (typeof option === 'string' ? option : option.label))
  const empty = values.every(value => value.trim() === '')
  if (empty && question.required !== false) return refuse('Answer is required')
  if (empty && labels.length > 0) return refuse(chooseOrSkip(labels))
  if (labels.length === 0) {
    if (values.length > 1) return refuse('This question takes one answer')
    return { valid: true, selected: [], text: values[0] ?? '' }
  }
  if (values.length > 1 && !question.multiSelect) return refuse('Only one option can be chosen')
  return chooseAll(labels, values)
}

/**
 * The normalised answer to every question, or every problem with its path. The questions of an optional request may be left
 * out or empty, but not all of them: passing over a request is `skip`, and never an answer. Where a question has no
 * options, the empty text is a value like any other.
 */
export function normaliseAnswers(
  questions: readonly Question[],
  required: boolean,
  input: ParsedAnswer,
): { answers: AnswerGiven[] } | { problems: Problem[] } {
  const problems: Problem[] = []
  const given = assign(questions, input, problems)
  const isOpen = (question: Question) => !hasAnswer(question, given.get(question.id))
  const answers = questions.map(question => {
    const entry = given.get(question.id)
    const result = isOpen(question)
      ? leaveOpen(question, required, entry)
      : normaliseOne(question, required, entry ?? {})
    if (!('error' in result)) return result
    problems.push({ path: questions.length === 1 ? 'answer' : `answers.${question.id}`, message: result.error })
    return { id: question.id, selected: [], text: null, note: null }
  })
  if (problems.length === 0 && isEmpty(questions, given)) problems.push(nothingAnswered(questions))
  return problems.length > 0 ? { problems } : { answers }
}

/** The value that an asker gets: the chosen labels, then the custom text. Null when there is neither. */
export function answerValue(answer: AnswerGiven, multiSelect: boolean): string | string[] | null {
  const values = answer.text === null ? answer.selected : [...answer.selected, answer.text]
  if (multiSelect) return values
  return values.length > 1 ? values.join(', ') : (values[0] ?? null)
}

function assign(questions: readonly Question[], input: ParsedAnswer, problems: Problem[]): Map<string, QuestionAnswer> {
  const given = new Map<string, QuestionAnswer>()
  const only = questions.length === 1 ? questions[0] : undefined
  const entries = [...(input.answers ?? [])]
  const { value, text = null } = input
  if (value !== undefined || text !== null) entries.push({ ...(value === undefined ? {} : { value }), text })
  for (const [i, entry] of entries.entries()) {
    const id = entry.id ?? only?.id
    if (id === undefined) {
      problems.push({ path: `answers[${i}].id`, message: 'is required: there are several questions' })
    } else if (!questions.some(question => question.id === id)) {
      problems.push({ path: `answers[${i}].id`, message: `there is no question ${id}` })
    } else if (given.has(id)) {
      problems.push({ path: `answers[${i}].id`, message: `question ${id} is answered twice` })
    } else {
      given.set(id, entry)
    }
  }
  return given
}

function normaliseOne(question: Question, required: boolean, entry: QuestionAnswer): AnswerGiven | { error: string } {
  const note = entry.note?.trim() ? entry.note : null
  const custom = entry.text ?? null
  const hasNothingSelected = entry.selected?.length === 0 && custom !== null && entry.value === undefined
  const chosen = hasNothingSelected ? undefined : (entry.selected ?? entry.value)
  if (entry.selected !== undefined && entry.value !== undefined) return { error: 'give selected or value, not both' }
  if (question.options.length === 0) {
    if (custom !== null && chosen !== undefined) return { error: 'give the text once' }
    return finish(validateAnswer({ ...question, required }, chosen ?? custom ?? []))
  }
  if (custom !== null && !question.allowOther)
    return { error: 'the question takes only its options, and no text of your own' }
  const hasText = custom !== null && custom.trim() !== ''
  if (hasText && (chosen === undefined || chosen.length === 0)) {
    return { id: question.id, selected: [], text: custom, note }
  }
  const picked = entry.selected
    ? chooseExactly(question, entry.selected)
    : validateAnswer({ ...question, required }, chosen ?? [])
  return finish(picked.valid && hasText ? { ...picked, text: custom } : picked)

  function finish(result: ValidAnswer | InvalidAnswer): AnswerGiven | { error: string } {
    return result.valid
      ? { id: question.id, selected: result.selected, text: result.text, note }
      : { error: result.error }
  }
}

/** Whether the entry says anything: an option or a text; where there are no options, also the empty text. */
function hasAnswer({ options }: Question, entry: QuestionAnswer | undefined): boolean {
  const values = valuesOf(entry)
  return options.length === 0 ? values.length > 0 : values.some(value => value.trim() !== '')
}

function valuesOf({ value = [], selected = [], text }: QuestionAnswer = {}): string[] {
  return [value, selected, text ?? []].flat()
}

function leaveOpen({ id }: Question, required: boolean, entry?: QuestionAnswer): AnswerGiven | { error: string } {
  if (required) return { error: 'Answer is required' }
  return { id, selected: [], text: null, note: entry?.note?.trim() ? entry.note : null }
}

/** Nothing was given; or everything was left empty, and not only texts. */
function isEmpty(questions: readonly Question[], given: ReadonlyMap<string, QuestionAnswer>): boolean {
  if (questions.every(question => !hasAnswer(question, given.get(question.id)))) return true
  const asksToChoose = questions.some(({ id, options }) => options.length > 0 && given.has(id))
  return asksToChoose && [...given.values()].every(entry => valuesOf(entry).every(value => value.trim() === ''))
}

function nothingAnswered(questions: readonly Question[]): Problem {
  const [only] = questions
  if (questions.length === 1 && only && only.options.length > 0) {
    return { path: 'answer', message: chooseOrSkip(only.options.map(({ label }) => label)) }
  }
  return { path: 'answers', message: 'no question is answered; to pass over an optional request, skip it' }
}

function chooseOrSkip(labels: readonly string[]): string {
  return `Choose one of: ${labels.join(', ')}; to pass over an optional request, skip it`
}

/** Exact labels only, for programs that have the options. */
function chooseExactly(question: Question, selected: readonly string[]): ValidAnswer | InvalidAnswer {
  const labels = question.options.map(option => option.label)
  if (selected.length > 1 && !question.multiSelect) return refuse('Only one option can be chosen')
  const positions = selected.map(label => labels.indexOf(label))
  if (positions.includes(-1)) return refuse(`Answer must be one of: ${labels.join(', ')}`)
  return inOptionOrder(labels, positions)
}

function chooseAll(labels: readonly string[], values: readonly string[]): ValidAnswer | InvalidAnswer {
  const positions: number[] = []
  for (const value of values) {
    const position = choose(labels, value.trim())
    if (typeof position === 'string') return refuse(position)
    positions.push(position)
  }
  return inOptionOrder(labels, positions)
}

/** The position of the chosen option, or the reason why there is none. */
function choose(labels: readonly string[], value: string): number | string {
  const plain = labels.map(canonical)
  const wanted = canonical(value)
  const byLabel = plain.indexOf(wanted)
  const byNumber = /^#?\d+$/.test(value) ? Number(value.replace('#', '')) - 1 : -1
  const numbered = byNumber >= 0 && byNumber < labels.length
  if (byLabel >= 0) {
    if (numbered && byNumber !== byLabel && !value.startsWith('#')) {
      return `${value} is the label of option ${byLabel + 1} and the number of option ${byNumber + 1}; write #${byLabel + 1} or #${byNumber + 1}`
    }
    return byLabel
  }
  if (numbered) return byNumber
  const lowered = wanted.toLowerCase()
  const alike = plain.flatMap((label, i) => (label.toLowerCase() === lowered ? [i] : []))
  if (alike.length === 1 && alike[0] !== undefined) return alike[0]
  return `Answer must be one of: ${labels.join(', ')}`
}

function inOptionOrder(labels: readonly string[], positions: readonly number[]): ValidAnswer | InvalidAnswer {
  const repeated = positions.find((position, i) => positions.indexOf(position) !== i)
  if (repeated !== undefined) return refuse(`Option ${labels[repeated]} is chosen twice`)
  return { valid: true, selected: labels.filter((_, i) => positions.includes(i)), text: null }
}

/** The same Korean word is composed on one machine and decomposed on another. */
function canonical(label: string): string {
  return label.trim().normalize('NFC')
}

function refuse(error: string): InvalidAnswer {
  return { valid: false, error }
}
