import type { AskInput } from '../protocol/ask.ts'
import { validateAnswer } from '../rules/answers.ts'
import type {
  DependencyItem,
  DependencyRequest,
  PhaseCompletion,
  PhaseItem,
  QuestionItem,
  UserQuestion,
} from './items.ts'

/** The request that a block stands for. A timeout is in it only where the block names one; else it is the run's to set. */
export function toAsk(item: QuestionItem | DependencyItem | PhaseItem): AskInput {
  switch (item.type) {
    case 'question':
      return askQuestion(item.question)
    case 'dependency':
      return askDependency(item.dependency)
    case 'phase':
      return askReview(item)
  }
}

/** Options of a block are closed: whoever wrote them compares the answer with them. */
export function askQuestion(asked: UserQuestion): AskInput {
  const { category, question, options = [], required, timeout } = asked
  const questions = [{ question, category, options, allowOther: options.length === 0, default: defaultOf(asked) }]
  return { kind: 'question', required, questions, ...(timeout === undefined ? {} : { timeout }) }
}

export function askDependency({ timeout, ...asked }: DependencyRequest): AskInput {
  return { kind: 'dependency', ...asked, ...(timeout === undefined ? {} : { timeout }) }
}

export function askReview({ phase, title, files }: Pick<PhaseCompletion, 'phase' | 'title' | 'files'>): AskInput {
  return { kind: 'review', phase, title, files }
}

/** By its position where the label alone could be another's number. */
function defaultOf({ options = [], default: label }: UserQuestion): string | null {
  if (label === undefined) return null
  return options.length === 0 || validateAnswer({ options }, label).valid ? label : `#${options.indexOf(label) + 1}`
}
