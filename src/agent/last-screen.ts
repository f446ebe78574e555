import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Conversation } from './conversation.ts'
import { nullIfDeleted } from './deleted.ts'
import { titleOf } from './execute-call.ts'
import { lastScreen, type Replayed } from './journal/replay.ts'
import { recordedIn } from './sub-agents.ts'
import type { Toolbox } from './toolbox.ts'

type Shown =
  | Exclude<Replayed, { type: 'result' | 'decided' }>
  | (Extract<Replayed, { type: 'result' }> & { readonly title: string })
  | (Omit<Extract<Replayed, { type: 'decided' }>, 'request'> & { readonly request: Request })

/** What a person saw last in this conversation, with the titles of calls and the outcomes of requests. */
export async function readLastScreen(conversation: Conversation, tools: Toolbox, hub: HubApi): Promise<Shown[]> {
  const toolOf = (name: string) => tools.get(name)
  const shown = lastScreen(recordedIn(conversation, conversation.entries)).map(async (one): Promise<Shown[]> => {
    if (one.type === 'result') return [{ ...one, title: titleOf({ toolOf }, one) }]
    if (one.type !== 'decided') return [one]
    const request = await hub.get(one.request).catch(nullIfDeleted)
    return request?.outcome ? [{ ...one, request }] : []
  })
  return (await Promise.all(shown)).flat()
}
