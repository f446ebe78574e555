import type { Request } from '../protocol/request.ts'
import { actionText } from './action-text.ts'

/** One line that says what a request is about. */
export function titleOf(request: Request): string {
  switch (request.kind) {
    case 'question':
      return request.questions[0]?.question ?? ''
    case 'dependency':
      return `${request.name}: ${request.description}`
    case 'approval':
      return actionText(request.action)
    case 'review':
      return request.title
  }
}
