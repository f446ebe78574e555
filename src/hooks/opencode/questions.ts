import type { AskInput } from '../../protocol/ask.ts'
import type { QuestionRequest } from '../../protocol/request.ts'
import type { QuestionDocument } from './document.ts'

/** The questions of opencode's own tool. Its name for them makes asking again after a crash the same ask. */
export function askOfQuestions({ session, id, cwd, questions }: QuestionDocument, run: string | null): AskInput {
  return {
    kind: 'question',
    run,
    session,
    key: `opencode:${session}:${id}`.slice(0, 200),
    agent: { name: 'opencode', cwd },
    questions: questions.map(({ question, header, options = [], multiple = false, custom = true }) => ({
      question,
      header: header?.trim() ? header : null,
      options: options.map(({ label, description = '' }) => ({ label, description })),
      ...(options.length > 0 ? { multiSelect: multiple, allowOther: custom } : {}),
    })),
  }
}

/** One list of labels and words for each question; null where there is no answer. */
export function answersOf({ questions, outcome }: QuestionRequest): string[][] | null {
  if (outcome === null || outcome.answers.length === 0) return null
  if (!['answered', 'defaulted', 'skipped'].includes(outcome.status)) return null
  return questions.map(({ id }) => {
    const { selected = [], text = null, note = null } = outcome.answers.find(answer => answer.id === id) ?? {}
    return [...selected, ...(text ? [text] : []), ...(note ? [`(${note})`] : [])]
  })
}
