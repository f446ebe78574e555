import * as z from 'zod'
import type { AgentEvent, AgentText, EventReader } from './agent-text.ts'

// `codex exec --json`. Only the items of type agent_message are text written by the agent.

const started = z.object({ thread_id: z.string() })
const completed = z.object({ item: z.object({ type: z.string(), text: z.string().optional() }) })

const stateSchema = z.object({ session: z.string().nullable() })

export function createCodexReader(from?: unknown): EventReader {
  let { session } = stateSchema.safeParse(from).data ?? { session: null }
  return { read, session: () => session, state: () => ({ session }) }

  function read(event: AgentEvent): AgentText[] {
    switch (event.type) {
      case 'thread.started':
        session = started.safeParse(event).data?.thread_id ?? session
        return []
      case 'item.completed':
        return readItem(completed.safeParse(event).data?.item)
      default:
        return []
    }
  }
}

function readItem(item: z.output<typeof completed>['item'] | undefined): AgentText[] {
  return item?.type === 'agent_message' && item.text ? [{ text: item.text, whole: true }] : []
}
