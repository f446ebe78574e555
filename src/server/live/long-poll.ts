import type { ServerResponse } from 'node:http'
import { BeckonError, type HubApi, type Request, settlingEvents } from '../../protocol/index.ts'
import type { SignedInCaller } from '../access/callers.ts'
import type { Feed } from './event-feed.ts'
import { createPendingAskers } from './pending-askers.ts'

/** One call that waits for a request; all that is kept in memory for it. */
interface LongPoll {
  id: string
  caller: SignedInCaller
  response: ServerResponse
  timer: NodeJS.Timeout
  /** Whether a message that the asker did not take ends it, too. */
  orMessage: boolean
  /** Whether this caller may see the request. Until that is known nothing is sent. */
  allowed: boolean
  /** What ended it, until that may be sent. */
  result: Request | null
}

interface PollLimits {
  seconds: number
  orMessage: boolean
}

export interface LongPolls {
  /** Answers the call once the request is settled, or as it is when the time is up. */
  hold(id: string, caller: SignedInCaller, response: ServerResponse, limits: PollLimits): Promise<void>
  /** Called before this caller asks; the result with the id of the stored request, which it most often waits for next. */
  trackAsk(caller: SignedInCaller): (id: string) => void
  /** This request is settled and committed: answers the calls that wait for it, without a look at the store. */
  wake(request: Request): void
  count(): number
  end(caller: SignedInCaller): void
  close(): void
}

export interface Replies {
  send(response: ServerResponse, request: Request): void
  fail(response: ServerResponse, error: unknown): void
}

/** Every call that waits over HTTP. One look at the store answers all that wait for the same request. */
export function createLongPolls(hub: Pick<HubApi, 'get' | 'messages'>, feed: Feed, { send, fail }: Replies): LongPolls {
  const polls = new Map<string, Set<LongPoll>>()
  const byResponse = new WeakMap<ServerResponse, LongPoll>()
  const pendingAskers = createPendingAskers()
  let count = 0
  let closed = false
  feed.listen(events => {
    for (const { event } of events) {
      if (event.request === null) continue
      if (!settlingEvents.has(event.type) && event.type !== 'request.message') continue
      pendingAskers.remove(event.request)
      if (polls.has(event.request)) lookAndWake(event.request)
    }
  })
  feed.onGap(() => {
    pendingAskers.clear()
    for (const id of [...polls.keys()]) lookAndWake(id)
  })
  return { hold, trackAsk, wake, count: () => count, end, close }

  function trackAsk(caller: SignedInCaller) {
    const isFollowed = feed.isReady()
    return (id: string) => {
      if (isFollowed) pendingAskers.add(id, caller)
    }
  }

  async function hold(id: string, caller: SignedInCaller, response: ServerResponse, limits: PollLimits) {
    await feed.ready()
    if (response.destroyed) return
    if (closed) throw stopping()
    if (caller.ended) throw revoked()
    const poll = add(id, caller, response, limits)
    // Its own request, and nothing happened to it: the feed will publish when something does.
    poll.allowed = pendingAskers.take(id) === caller
    if (poll.allowed) return
    // Added first, so that a settlement between the look and the feed is not missed by both.
    try {
      const request = await caller.hub.get(id)
      poll.allowed = true
      const isOver = request.status !== 'pending' || (poll.orMessage && (await hasUnheard(request)))
      const result = isOver ? request : poll.result
      if (result) finish(poll, result)
    } catch (error) {
      if (remove(poll)) fail(response, error)
    }
  }

  function add(
    id: string,
    caller: SignedInCaller,
    response: ServerResponse,
    { seconds, orMessage }: PollLimits,
  ): LongPoll {
    const timer = setTimeout(timeIsUp, seconds * 1_000, response)
    const poll: LongPoll = { id, caller, response, timer, orMessage, allowed: false, result: null }
    byResponse.set(response, poll)
    const others = polls.get(id)
    if (others) others.add(poll)
    else polls.set(id, new Set([poll]))
    count += 1
    caller.open += 1
    response.on('close', removeClosed)
    return poll
  }

  function removeClosed(this: ServerResponse) {
    const poll = byResponse.get(this)
    if (poll) remove(poll)
  }

  function remove(poll: LongPoll): boolean {
    const others = polls.get(poll.id)
    if (!others?.delete(poll)) return false
    if (others.size === 0) polls.delete(poll.id)
    clearTimeout(poll.timer)
    count -= 1
    poll.caller.open -= 1
    return true
  }

  function timeIsUp(response: ServerResponse) {
    const poll = byResponse.get(response)
    if (!poll) return
    hub.get(poll.id).then(
      request => finish(poll, request),
      error => remove(poll) && fail(response, error),
    )
  }

  function wake(request: Request) {
    for (const poll of [...(polls.get(request.id) ?? [])]) finish(poll, request)
  }

  /** Those that wait for the outcome alone go on waiting. */
  function wakeListening(request: Request) {
    for (const poll of [...(polls.get(request.id) ?? [])]) if (poll.orMessage) finish(poll, request)
  }

  async function hasUnheard({ id, messages }: Request): Promise<boolean> {
    return messages.some(({ from }) => from === 'person') && (await hub.messages.unheard(id)).length > 0
  }

  function finish(poll: LongPoll, request: Request) {
    if (!poll.allowed) poll.result = request
    else if (remove(poll)) send(poll.response, request)
  }

  async function lookAndWake(id: string) {
    try {
      const request = await hub.get(id)
      if (request.status !== 'pending') wake(request)
      else if (await hasUnheard(request)) wakeListening(request)
    } catch (error) {
      for (const poll of [...(polls.get(id) ?? [])]) if (remove(poll)) fail(poll.response, error)
    }
  }

  function end(caller: SignedInCaller) {
    failAll(revoked(), poll => poll.caller === caller)
  }

  /** The callers come back: to another server, or to this one after its restart. */
  function close() {
    closed = true
    failAll(stopping(), () => true)
  }

  function failAll(error: BeckonError, isMeant: (poll: LongPoll) => boolean) {
    for (const same of polls.values()) {
      for (const poll of [...same]) if (isMeant(poll) && remove(poll)) fail(poll.response, error)
    }
  }
}

function revoked(): BeckonError {
  return new BeckonError('unauthenticated', 'The token was revoked or has expired.')
}

function stopping(): BeckonError {
  return new BeckonError('closed', 'The server is stopping. Try again.')
}
