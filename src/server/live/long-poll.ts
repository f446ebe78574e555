import type { ServerResponse } from 'node:http'
import { BeckonError, type HubApi, type Request, settlingEvents } from '../../protocol/index.ts'
import type { Visitor } from '../access/callers.ts'
import type { Feed } from './event-feed.ts'
import { createUnsettled } from './pending-askers.ts'

/** One who waits for a request: no more than this is kept for it. */
interface Held {
  id: string
  visitor: Visitor
  response: ServerResponse
  timer: NodeJS.Timeout
  /** Whether this visitor may see it. Until that is known nothing is sent, and the news waits here. */
  allowed: boolean
  news: Request | null
}

export interface Holding {
  /** Answers the call once the request is settled, or as it is when the time is up. */
  hold(id: string, visitor: Visitor, response: ServerResponse, seconds: number): Promise<void>
  /** Said before this visitor asks; and of what was stored then: most often it is waited for next. */
  asking(visitor: Visitor): (id: string) => void
  /** This one is settled, and its commit is done: those who wait for it need not ask the store. */
  tell(request: Request): void
  count(): number
  end(visitor: Visitor): void
  close(): void
}

export interface Answering {
  send(response: ServerResponse, request: Request): void
  fail(response: ServerResponse, error: unknown): void
}

/** Everybody who waits over HTTP. One look at the store wakes all who wait for the same request. */
export function createHolding(hub: Pick<HubApi, 'get'>, feed: Feed, { send, fail }: Answering): Holding {
  const held = new Map<string, Set<Held>>()
  const byResponse = new WeakMap<ServerResponse, Held>()
  const unsettled = createUnsettled()
  let count = 0
  let closed = false
  feed.listen(events => {
    for (const { event } of events) {
      if (event.request === null || !settlingEvents.has(event.type)) continue
      unsettled.remove(event.request)
      if (held.has(event.request)) wake(event.request)
    }
  })
  return { hold, asking, tell, count: () => count, end, close }

  function asking(visitor: Visitor) {
    const isTold = feed.isReady()
    return (id: string) => {
      if (isTold) unsettled.add(id, visitor)
    }
  }

  async function hold(id: string, visitor: Visitor, response: ServerResponse, seconds: number) {
    await feed.ready()
    if (response.destroyed) return
    if (closed) throw stopping()
    if (visitor.ended) throw over()
    const one = join(id, visitor, response, seconds)
    // Its own, and not settled: from here on nothing but the feed can tell that it is, and it will.
    one.allowed = unsettled.take(id) === visitor
    if (one.allowed) return
    // Joined first: what is settled between the look and the news would be missed by both.
    try {
      const request = await visitor.hub.get(id)
      one.allowed = true
      const news = request.status === 'pending' ? one.news : request
      if (news) give(one, news)
    } catch (error) {
      if (leave(one)) fail(response, error)
    }
  }

  function join(id: string, visitor: Visitor, response: ServerResponse, seconds: number): Held {
    const timer = setTimeout(timeIsUp, seconds * 1_000, response)
    const one: Held = { id, visitor, response, timer, allowed: false, news: null }
    byResponse.set(response, one)
    const others = held.get(id)
    if (others) others.add(one)
    else held.set(id, new Set([one]))
    count += 1
    visitor.open += 1
    response.on('close', gone)
    return one
  }

  function gone(this: ServerResponse) {
    const one = byResponse.get(this)
    if (one) leave(one)
  }

  function leave(one: Held): boolean {
    const others = held.get(one.id)
    if (!others?.delete(one)) return false
    if (others.size === 0) held.delete(one.id)
    clearTimeout(one.timer)
    count -= 1
    one.visitor.open -= 1
    return true
  }

  function timeIsUp(response: ServerResponse) {
    const one = byResponse.get(response)
    if (!one) return
    hub.get(one.id).then(
      request => give(one, request),
      error => leave(one) && fail(response, error),
    )
  }

  function tell(request: Request) {
    for (const one of [...(held.get(request.id) ?? [])]) give(one, request)
  }

  function give(one: Held, request: Request) {
    if (!one.allowed) one.news = request
    else if (leave(one)) send(one.response, request)
  }

  async function wake(id: string) {
    try {
      const request = await hub.get(id)
      if (request.status !== 'pending') tell(request)
    } catch (error) {
      for (const one of [...(held.get(id) ?? [])]) if (leave(one)) fail(one.response, error)
    }
  }

  function end(visitor: Visitor) {
    failAll(over(), one => one.visitor === visitor)
  }

  /** Told to come again: there may be another server, or this one a moment later. */
  function close() {
    closed = true
    failAll(stopping(), () => true)
  }

  function failAll(error: BeckonError, concerns: (one: Held) => boolean) {
    for (const ones of held.values()) {
      for (const one of [...ones]) if (concerns(one) && leave(one)) fail(one.response, error)
    }
  }
}

function over(): BeckonError {
  return new BeckonError('unauthenticated', 'The token was revoked or has expired.')
}

function stopping(): BeckonError {
  return new BeckonError('closed', 'The server is being stopped. Try again.')
}
