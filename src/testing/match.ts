import type { Kind } from '../protocol/status.ts'
import type { Request } from '../typed/request.ts'

/**
 * Which requests are meant: by a text (the whole question or header, the name of a dependency, the command or tool of an
 * approval, the title of a review, or the key), by a pattern in one of these, by fields, or by a function.
 */
export type Match = string | RegExp | { kind?: Kind; key?: string } | ((request: Request) => boolean)

export function matches(match: Match, request: Request): boolean {
  if (typeof match === 'function') return match(request)
  if (typeof match === 'string') return textsOf(request).includes(match)
  if (match instanceof RegExp) return textsOf(request).some(text => text.search(match) >= 0)
  return Object.entries(match).every(([field, value]) => request[field as 'kind' | 'key'] === value)
}

/** What a request is known by. */
export function textsOf(request: Request): string[] {
  const texts = request.key === null ? [] : [request.key]
  switch (request.kind) {
    case 'question':
      return [...request.questions.flatMap(({ question, header }) => [question, header]), ...texts]
    case 'dependency':
      return [request.name, request.description, ...texts]
    case 'approval':
      return [request.action.command ?? '', request.action.tool ?? '', ...texts]
    case 'review':
      return [request.title, ...texts]
  }
}
