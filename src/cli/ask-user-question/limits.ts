import { BeckonError } from '../../protocol/errors.ts'
import { limits as hubLimits } from '../../protocol/limits.ts'

/** How much one call may ask. */
export interface Limits {
  questions: number
  options: number
  header: number
  question: number
}

/** The limits of the command's document, or those of the environment, as far as the hub accepts them. */
export function limitsOf(env: NodeJS.ProcessEnv): Limits {
  return {
    questions: readLimit('ASK_MAX_QUESTIONS', 4, 1, hubLimits.questions),
    options: readLimit('ASK_MAX_OPTIONS', 4, 2, hubLimits.options),
    header: readLimit('ASK_HEADER_MAX_LENGTH', 12, 1, hubLimits.header),
    question: readLimit('ASK_QUESTION_MAX_LENGTH', 500, 1, hubLimits.question),
  }

  function readLimit(name: string, fallback: number, least: number, most: number): number {
    const source = env[name]
    if (!source) return fallback
    const limit = /^\d{1,9}$/.test(source) ? Number(source) : 0
    if (limit >= least && limit <= most) return limit
    const shown = source.length > 40 ? `${source.slice(0, 40)}…` : source
    throw new BeckonError('invalid', `${name} is "${shown}"; it must be a whole number from ${least} to ${most}.`)
  }
}
