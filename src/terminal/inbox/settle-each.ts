import type { Decision } from '../../form/answer-form.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi, Settlement } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { submit } from '../submit.ts'

/** Settles one request after the other with the same decision. What is refused does not keep the others. */
export async function settleEach(
  hub: HubApi,
  requests: readonly Request[],
  decision: Decision,
): Promise<{ settled: Settlement[]; refused: string[] }> {
  const settled: Settlement[] = []
  const refused: string[] = []
  for (const { id } of requests) {
    const result = await orRefusal(() => submit(hub, id, decision))
    if ('refused' in result) refused.push(result.refused)
    else settled.push(result)
    if (!('refused' in result) && !result.won && !result.replay) refused.push('Somebody else was first.')
  }
  return { settled, refused }
}

/** Hides them all until then, or brings them back. */
export async function snoozeEach(
  hub: HubApi,
  requests: readonly Request[],
  until: string | null,
): Promise<{ done: string[]; refused: string[] }> {
  const done: string[] = []
  const refused: string[] = []
  for (const { id } of requests) {
    const result = await orRefusal(() => hub.snooze(id, { until }))
    if ('refused' in result) refused.push(result.refused)
    else done.push(id)
  }
  return { done, refused }
}

/** An error of the hub about this request; a hub that is closed or broken ends the inbox. */
export async function orRefusal<T extends object>(work: () => Promise<T>): Promise<T | { refused: string }> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BeckonError) || error.code === 'closed') throw error
    return { refused: error.message }
  }
}
