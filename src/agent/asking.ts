import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'

export interface Desk {
  readonly hub: HubApi
  readonly run: string | null
  readonly conversation: string
  readonly path: readonly string[]
  readonly cwd: string
  /** How long to wait for a person inside of the turn: not at all, or until the signal. */
  readonly waits: boolean
  readonly signal: AbortSignal
}

const mostTries = 50

/**
 * The stored request of a call, raised once however often the call is taken up: its key is the call's. `again` counts the
 * times that an earlier one could not be used any more.
 */
export async function raiseFor(desk: Desk, call: string, ask: AskInput, again = 0): Promise<Request> {
  const { hub, run, conversation, path, cwd } = desk
  for (let count = again; count < mostTries; count += 1) {
    const key = `${conversation}/${call}${count > 0 ? `#${count + 1}` : ''}`.slice(-500)
    try {
      return await hub.raise({
        ...ask,
        run,
        key,
        agent: { name: 'agent', cwd, path: path.length > 1 ? [...path] : [] },
      })
    } catch (error) {
      // The guard may see the same command in another light after an update.
      if (!(error instanceof BeckonError && error.code === 'key_conflict')) throw error
    }
  }
  throw new BeckonError('key_conflict', `The call ${call} was asked about too often.`)
}

/** The request once it is settled; still pending where this turn does not wait, or was told to stop waiting. */
export async function waitFor({ hub, waits, signal }: Desk, request: Request): Promise<Request> {
  if (request.status !== 'pending' || !waits || signal.aborted) return request
  try {
    return await hub.wait(request.id, { signal })
  } catch (error) {
    if (signal.aborted) return request
    throw error
  }
}
