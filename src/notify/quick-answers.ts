import type { LeasedMessage } from '../hub/outbox.ts'
import { short } from './title.ts'

interface QuickAnswers {
  /** What a browser sends back, with one of the options. */
  quick: { question: string; options: string[] }
}

// Browsers show two buttons, each with a few words.
const mostOptions = 2
const longestLabel = 40

/**
 * The options of a question that a person may answer in the notification itself. Only what can be decided from one line
 * and two words: one question, one choice, nothing to read above or beside it. Never approvals, secrets and reviews.
 */
export function quickAnswers(about: LeasedMessage['about']): QuickAnswers | Record<string, never> {
  if (!('kind' in about) || about.kind !== 'question' || about.status !== 'pending') return {}
  const [question, ...others] = about.questions
  if (!question || others.length > 0 || question.multiSelect) return {}
  if ((about.context ?? '').trim() !== '' || (question.header ?? '') !== '') return {}
  if (about.attachments.length > 0 || about.messages.length > 0) return {}
  const options = question.options.map(({ label }) => label)
  const isPlain = (label: string) => label.length <= longestLabel && short(label) === label
  // What is hidden or cut in a message cannot be chosen in it; and nobody agrees to what they could not read.
  if (options.length === 0 || options.length > mostOptions || !options.every(isPlain)) return {}
  const saysMore = question.options.some(({ description, preview }) => description !== '' || preview !== '')
  if (saysMore || short(question.question) !== question.question) return {}
  return { quick: { question: question.id, options } }
}
