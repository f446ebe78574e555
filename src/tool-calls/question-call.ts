import type { AskInput } from '../protocol/ask.ts'
import type { Json } from '../protocol/canonical-json.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { QuestionRequest } from '../protocol/request.ts'
import type { ToolCall } from './tool-call.ts'

// Claude's own tool for questions. Its answers go back in its input, under the text of each question.

type Questions = Extract<AskInput, { questions: unknown }>['questions']
type Fields = { readonly [name: string]: Json }

export function isQuestionCall({ tool, input }: ToolCall): boolean {
  return tool === 'AskUserQuestion' && Array.isArray(fieldsOf(input).questions)
}

/** Every option is offered, and a free answer besides, as in the host's own dialog. */
export function questionsOfCall({ input }: ToolCall): Questions {
  const given = fieldsOf(input).questions
  if (!Array.isArray(given)) throw new BeckonError('invalid', 'The call of AskUserQuestion has no questions.')
  return given.map(one => {
    const { question = '', header = null, options = [], multiSelect = false } = fieldsOf(one)
    const offered = Array.isArray(options) ? options.map(optionOf) : []
    return {
      question: String(question),
      header: typeof header === 'string' && header.trim() !== '' ? header : null,
      options: offered,
      multiSelect: multiSelect === true && offered.length > 0,
      ...(offered.length > 0 ? { allowOther: true } : {}),
    }
  })
}

/** The input with the person's answers in it, each under the text of its question as the host wrote it. */
export function withAnswers({ input }: ToolCall, { questions, outcome }: QuestionRequest): Json {
  const asked = fieldsOf(input).questions
  const texts = Array.isArray(asked) ? asked.map(one => String(fieldsOf(one).question ?? '')) : []
  const answers = questions.flatMap(({ id, question }, i) => {
    const given = outcome?.answers.find(answer => answer.id === id)
    if (!given) return []
    const { selected, text, note } = given
    const values = text === null || text === '' ? selected : [...selected, text]
    const said = note ? `${values.join(', ')} (${note})` : values.join(', ')
    return [[texts[i] ?? question, said] as const]
  })
  return { ...fieldsOf(input), answers: Object.fromEntries(answers) }
}

function optionOf(option: Json) {
  if (typeof option === 'string') return { label: option }
  const { label = '', description = '', preview = '' } = fieldsOf(option)
  return { label: String(label), description: String(description), preview: String(preview) }
}

function fieldsOf(value: Json): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {}
}
