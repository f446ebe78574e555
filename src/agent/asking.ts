import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { Request } from '../protocol/request.ts'
import type { Call } from './journal/history.ts'
import type { Bench, Desk } from './tool-context.ts'

/** The call's own request, settled if that can be: the one it has, or a new one. */
export async function ask(bench: Bench, call: Call, raise: () => Promise<Request>): Promise<Request> {
  if (call.request === null) return askAnew(bench, call, raise)
  return takeUp(bench, call, await bench.desk.hub.get(call.request))
}

/** Stored before anybody hears of it. */
export async function askAnew(bench: Bench, call: Call, raise: () => Promise<Request>): Promise<Request> {
  const request = await raise()
  bench.append({ type: 'asked', call: call.id, request: request.id })
  return takeUp(bench, call, request)
}

const mostTries = 50

/**
 * The stored request of a call, raised once however often the call is taken up: its key is the call's. `again` counts the
 * times that an earlier one could not be used any more.
 */
export async function raiseFor(desk: Desk, call: string, input: AskInput, again = 0): Promise<Request> {
  const { hub, run, conversation, path, cwd } = desk
  const context = input.context ?? (desk.said().trim() || null)
  const agent = { name: 'agent', cwd, path: path.length > 1 ? [...path] : [] }
  for (let count = again; count < mostTries; count += 1) {
    const key = `${conversation}/${call}${count > 0 ? `#${count + 1}` : ''}`.slice(-500)
    try {
      return await hub.raise({ ...input, context, run, key, agent })
    } catch (error) {
      // The guard may see the same command in another light after an update.
      if (!(error instanceof BeckonError && error.code === 'key_conflict')) throw error
    }
  }
  throw new BeckonError('key_conflict', `The call ${call} was asked about too often.`)
}

async function takeUp(bench: Bench, call: Call, request: Request): Promise<Request> {
  if (request.status !== 'pending') return request
  bench.emit({ type: 'asked', call: call.id, request })
  const settled = await waitFor(bench.desk, request)
  if (settled.status !== 'pending') bench.emit({ type: 'settled', call: call.id, request: settled })
  return settled
}

/** Still pending where this turn does not wait, or was told to stop waiting. */
async function waitFor({ hub, patience, signal: interrupted }: Desk, request: Request): Promise<Request> {
  if (patience === null) return request
  const signal = AbortSignal.any([patience, interrupted])
  if (signal.aborted) return request
  try {
    return await hub.wait(request.id, { signal })
  } catch (error) {
    if (signal.aborted) return request
    throw error
  }
}
