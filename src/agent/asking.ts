import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { Message } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import type { Call } from './journal/history.ts'
import type { AskContext, ToolContext } from './tool-context.ts'
import { type Reply, ToolError } from './tools/tool.ts'

/** The call's own request, settled if possible: the one it already has, or a new one. */
export async function ask(context: ToolContext, call: Call, raise: () => Promise<Request>): Promise<Request> {
  if (call.request === null) return askAnew(context, call, raise)
  return awaitOutcome(context, call, await context.asking.hub.get(call.request))
}

/** The request is stored before anybody sees it. */
export async function askAnew(context: ToolContext, call: Call, raise: () => Promise<Request>): Promise<Request> {
  const request = await raise()
  context.append({ type: 'asked', call: call.id, request: request.id })
  return awaitOutcome(context, call, request)
}

/**
 * Replies on a request of this conversation that a person asked back about, and waits on for its outcome. After a crash
 * the same reply is sent again, and the hub knows it.
 */
export async function replyAndAwait(context: ToolContext, call: Call, { request: id, text }: Reply): Promise<Request> {
  const { hub } = context.asking
  const request = await hub.get(id).catch(orNull)
  if (!request?.key?.startsWith(`${context.asking.conversation}/`)) {
    throw new ToolError(`You have no question ${id}.`, 'Use the id from the result in which the user asked back.')
  }
  if (call.request === null) {
    if (request.status === 'pending') await hub.messages.send(id, { text, as: 'agent' }).catch(ignoreSettled)
    context.append({ type: 'asked', call: call.id, request: id })
  }
  return awaitOutcome(context, call, await hub.get(id))
}

function orNull(error: unknown): null {
  if (error instanceof BeckonError && error.code === 'not_found') return null
  throw error
}

function ignoreSettled(error: unknown): void {
  if (!(error instanceof BeckonError) || error.code !== 'settled_otherwise') throw error
}

/** What people asked back about a pending request and the conversation does not know yet. */
export async function unheardBy({ hub }: AskContext, { id, messages }: Request): Promise<Message[]> {
  return messages.some(({ from }) => from === 'person') ? hub.messages.unheard(id) : []
}

const maxTries = 50

/**
 * The stored request of a call. Its key is the call's, so resuming the call raises it only once. `again` counts the
 * earlier requests that could not be used any more.
 */
export async function raiseFor(asking: AskContext, call: string, input: AskInput, again = 0): Promise<Request> {
  const { hub, run, conversation, path, cwd } = asking
  const context = input.context ?? (asking.lastReply().trim() || null)
  const agent = { name: 'agent', cwd, path: path.length > 1 ? [...path] : [] }
  for (let count = again; count < maxTries; count += 1) {
    const key = `${conversation}/${call}${count > 0 ? `#${count + 1}` : ''}`.slice(-500)
    try {
      return await hub.raise({ ...input, context, run, key, agent })
    } catch (error) {
      // The action is not the one that this key was used for, because a file has changed; or its yes was used already.
      if (!(error instanceof BeckonError && ['key_conflict', 'used'].includes(error.code))) throw error
    }
  }
  throw new BeckonError('key_conflict', `The agent asked about the call ${call} more than ${maxTries} times.`)
}

async function awaitOutcome(context: ToolContext, call: Call, request: Request): Promise<Request> {
  if (request.status !== 'pending') return request
  context.emit({ type: 'asked', call: call.id, request })
  const settled = await waitFor(context.asking, request)
  if (settled.status !== 'pending') context.emit({ type: 'settled', call: call.id, request: settled })
  return settled
}

/** Still pending where this turn does not wait, or where the waiting was stopped. */
async function waitFor({ hub, stopWaiting, signal: interrupted }: AskContext, request: Request): Promise<Request> {
  if (stopWaiting === null) return request
  const signal = AbortSignal.any([stopWaiting, interrupted])
  if (signal.aborted) return request
  try {
    // Only where a person can ask back do messages come.
    return await hub.wait(request.id, { signal, orMessage: true })
  } catch (error) {
    if (signal.aborted) return request
    throw error
  }
}
