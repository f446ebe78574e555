import {
  type Ask,
  type AskInput,
  askSchemas,
  invalid,
  type Kind,
  kinds,
  type Problem,
  type Question,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { validateAnswer } from './validate-answers.ts'

export interface ParsedAsk {
  ask: Ask
  /** The body of the request as it is stored. */
  body: Record<string, unknown>
  /** Whether every question has a default, so that a deadline can settle the request. */
  hasDefaults: boolean
}

/** Parses an ask, fills in the defaults, and refuses questions that nobody could answer. */
export function parseAsk(input: AskInput): ParsedAsk {
  const ask: Ask = parse(askSchemas[kindOf(input)], input)
  switch (ask.kind) {
    case 'question': {
      const questions = ask.questions.map(fillQuestion)
      const problems = findProblems(questions, ask.required)
      if (problems.length > 0) throw invalid(problems)
      return { ask, body: { questions }, hasDefaults: questions.every(question => question.default !== null) }
    }
    case 'dependency': {
      const { type, name, description, outside } = ask
      return { ask, body: { type, name, description, outside }, hasDefaults: false }
    }
    case 'approval':
      // The hub judges the action before it stores it.
      return { ask, body: {}, hasDefaults: false }
    case 'review': {
      const { phase = null, title, files, diff } = ask
      // Without a diff there is no field: an ask of before it existed stays the same ask.
      return { ask, body: { phase, title, files, ...(diff ? { diff } : {}) }, hasDefaults: false }
    }
  }
}

function kindOf(input: unknown): Kind {
  const given = typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined
  if (given === undefined) return 'question'
  const kind = kinds.find(known => known === given)
  if (!kind) throw invalid([{ path: 'kind', message: `must be one of: ${kinds.join(', ')}` }])
  return kind
}

type AskedQuestion = Extract<Ask, { kind: 'question' }>['questions'][number]

function fillQuestion(asked: AskedQuestion, i: number): Question {
  return {
    id: asked.id ?? `q${i + 1}`,
    question: asked.question,
    header: asked.header ?? '',
    category: asked.category ?? null,
    options: asked.options,
    multiSelect: asked.multiSelect,
    // Without options, custom text is the only answer.
    allowOther: asked.options.length === 0 ? true : (asked.allowOther ?? false),
    default: asked.default ?? null,
  }
}

function findProblems(questions: Question[], required: boolean): Problem[] {
  const at = (i: number) => `questions[${i}]`
  return [
    ...repeated(questions.map(question => question.id)).map(i => problem(`${at(i)}.id`, 'is used twice')),
    ...repeated(questions.map(question => question.question)).map(i => problem(`${at(i)}.question`, 'is asked twice')),
    ...repeated(questions.map(question => question.header)).map(i => problem(`${at(i)}.header`, 'is used twice')),
    ...questions.flatMap((question, i) => [
      ...repeated(question.options.map(option => option.label)).map(j =>
        problem(`${at(i)}.options[${j}].label`, 'is offered twice'),
      ),
      ...multiSelectProblem(question, at(i)),
      ...normaliseDefault(question, required, at(i)),
    ]),
  ]
}

function multiSelectProblem(question: Question, path: string): Problem[] {
  if (!question.multiSelect || question.options.length > 0) return []
  return [problem(`${path}.multiSelect`, 'needs options to choose from')]
}

/** A default must be an answer that a person could give. It is stored as the labels that it stands for. */
function normaliseDefault(question: Question, required: boolean, path: string): Problem[] {
  if (question.default === null) return []
  const isCustomText =
    typeof question.default === 'string' &&
    question.default.trim() !== '' &&
    question.allowOther &&
    question.options.length > 0
  // Choosing nothing is not an answer, but it may be the default of a multiple choice.
  if (!required && question.multiSelect && question.default.length === 0) return []
  const result = validateAnswer({ ...question, required }, question.default)
  if (!result.valid) {
    // Where custom text is allowed as an answer, it can also be the default.
    return isCustomText ? [] : [problem(`${path}.default`, result.error)]
  }
  if (question.multiSelect) question.default = result.selected
  else question.default = result.selected[0] ?? result.text
  return []
}

/** The positions of texts that occur earlier in the list; empty texts do not count. */
function repeated(texts: readonly string[]): number[] {
  const canonical = texts.map(text => text.trim().normalize('NFC'))
  return canonical.flatMap((text, i) => (text !== '' && canonical.indexOf(text) < i ? [i] : []))
}

function problem(path: string, message: string): Problem {
  return { path, message }
}
