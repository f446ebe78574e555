import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import { parseAsk } from '../rules/parse-ask.ts'
import { toAsk } from './block-to-ask.ts'
import type { Item, Tag } from './items.ts'

/**
 * The one check of what blocks ask: the hub's own rules, applied before anybody is asked, so that an agent reads about
 * its block and not about a request it never made. The parsers before it only turn text into values.
 */
export function validateItem(item: Item, tag: Tag, text: string): Item {
  if (item.type !== 'question' && item.type !== 'dependency' && item.type !== 'phase') return item
  const reason = findProblem(toAsk(item))
  return reason === null ? item : { type: 'malformed', tag, reason, text, start: item.start, end: item.end }
}

function findProblem(ask: AskInput): string | null {
  try {
    parseAsk(ask)
    return null
  } catch (error) {
    // A block has a single question, so its fields need no path to it.
    if (error instanceof BeckonError) return error.message.replaceAll('questions[0].', '')
    throw error
  }
}
