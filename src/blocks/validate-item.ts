import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import { parseAsk } from '../rules/parse-ask.ts'

/** The hub's own rules, applied early: an agent is told about its block, not about a request that it never saw. */
export function askProblem(ask: AskInput): string | null {
  try {
    parseAsk(ask)
    return null
  } catch (error) {
    if (error instanceof BeckonError) return error.message.replaceAll('questions[0].', '')
    throw error
  }
}
