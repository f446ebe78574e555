import type { AgentEvent } from '../../agent/events.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { describeImages } from './describe-images.ts'
import { describeServer } from './describe-server.ts'

/** What a person must know although nobody watches the agent work: what it goes on without, and what it shortens. */
export function noticesOf(event: AgentEvent): string[] {
  switch (event.type) {
    case 'images':
      return describeImages(event.images.filter(({ why }) => why !== null))
    case 'instructions':
      return event.left.map(harmlessTitle)
    case 'server':
      return event.status === 'running' ? [] : [describeServer(event)]
    case 'retry':
      return [
        `The model does not answer (${harmlessTitle(event.why)}). Retrying in ${Math.ceil(event.inMs / 1_000)} s.`,
      ]
    case 'context':
      return [`The context is ${Math.round((event.tokens / event.limit) * 100)} % full; at 100 % Beckon summarises it.`]
    case 'compacted':
      return [
        `Summarised the earlier conversation; the context is now about ${event.tokens.toLocaleString('en')} tokens.`,
      ]
    case 'result':
      return event.whole === null
        ? []
        : [
            `The output of ${harmlessTitle(event.tool)} was cut for the model. All of it is in ${harmlessTitle(event.whole)}`,
          ]
    default:
      return []
  }
}
