import { BeckonError } from '../protocol/errors.ts'
import type { Request } from '../protocol/request.ts'
import type { Kind } from '../protocol/status.ts'
import { quoteWords } from '../text/quote-words.ts'

/** The command that goes on with a stored request. For `need`, the words that it runs with the value are not stored. */
export function resumeCommand(request: Request, words: readonly string[] = []): string {
  const { id, kind } = request
  if (kind === 'dependency') return `beckon need --resume ${id}${words.length > 0 ? ` -- ${quoteWords(words)}` : ''}`
  return kind === 'approval' && !isToolCall(request) ? `beckon approve --resume ${id}` : `beckon wait ${id}`
}

/** Only the agent that asked can make the call. */
export function isToolCall(request: Request): boolean {
  return request.kind === 'approval' && request.action.tool !== undefined
}

/** A command was given the id of a request that another command goes on with. */
export function wrongKind(request: Request, wanted: Kind): BeckonError {
  const { id, kind } = request
  return new BeckonError(
    'invalid',
    `${id} is ${withArticle(kind)}, not ${withArticle(wanted)}. Continue with: ${resumeCommand(request)}`,
  )
}

function withArticle(kind: Kind): string {
  return `${kind === 'approval' ? 'an' : 'a'} ${kind}`
}
