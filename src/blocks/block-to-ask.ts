import type { AskInput } from '../protocol/ask.ts'
import { validateAnswer } from '../rules/validate-answers.ts'
import type {
  DependencyItem,
  DependencyRequest,
  PhaseCompletion,
  PhaseItem,
  QuestionItem,
  UserQuestion,
} from './items.ts'

/** The ask that a block stands for. It has a timeout only if the block sets one; otherwise the run decides. */
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

/** A block's options are closed: its agent compares the answer with them. */
function askQuestion(asked: UserQuestion): AskInput {
  const { category, question, options = [], required, timeout } = asked
  const questions = [{ question, category, options, allowOther: options.length === 0, default: defaultOf(asked) }]
  return { kind: 'question', required, questions, ...(timeout === undefined ? {} : { timeout }) }
}

function askDependency({ timeout, ...asked }: DependencyRequest): AskInput {
  return { kind: 'dependency', ...asked, ...(timeout === undefined ? {} : { timeout }) }
}

function askReview({ phase, title, files, summary }: PhaseCompletion): AskInput {
  return { kind: 'review', phase, title, files, ...(summary === undefined ? {} : { context: summary }) }
}

/** Refers to the default by position if its label could also be the number of another option. */
function defaultOf({ options = [], default: label }: UserQuestion): string | null {
  if (label === undefined) return null
  return options.length === 0 || validateAnswer({ options }, label).valid ? label : `#${options.indexOf(label) + 1}`
}
