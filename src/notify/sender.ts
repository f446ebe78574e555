import { setTimeout as sleep } from 'node:timers/promises'
import type { LeasedMessage, Outbox } from '../hub/outbox.ts'
import { type HubApi, settlingEvents } from '../protocol/index.ts'
import { buildDelivery } from './build-delivery.ts'
import { messageOf } from './message.ts'
import { type Fetch, type PostResult, post } from './post.ts'
import { retryDelay } from './retry-delay.ts'

export interface SenderOptions {
  hub: Pick<HubApi, 'follow'>
  outbox: Outbox
  /** The address of the inbox, as people reach it. */
  inbox: string
  log: { warn(details: object, message: string): void; info(details: object, message: string): void }
  fetch?: Fetch
  random?: () => number
}

export interface Sender {
  /** What this sender has done, and how many messages wait for any sender. */
  counts: { waiting: number; sent: number; failed: number; givenUp: number }
  /** Checks for messages now, without waiting for an event. */
  checkNow(): void
  /** Finishes the deliveries in progress and starts no new ones. */
  close(): Promise<void>
}

// Per target, so that a target that hangs delays only its own messages.
const concurrentDeliveries = 4
// Upper limit between two checks: another process may have added a target, or died with a leased message.
const longestPause = 5_000
const pauseWithoutTargets = 2_000
const pauseAfterError = 1_000

const relevantEvents = new Set<string>(['request.created', 'request.reminded', 'run.failed', ...settlingEvents])

/** Sends notifications until it is closed. Any number of senders may share a database. */
export function startSender({ hub, outbox, inbox, log, fetch, random }: SenderOptions): Sender {
  const closing = new AbortController()
  const { signal } = closing
  const counts = { waiting: 0, sent: 0, failed: 0, givenUp: 0 }
  const inProgress = new Map<string, Set<Promise<void>>>()
  let wakeUp = Promise.withResolvers<void>()
  let hasNewEvents = true
  let targetsAdded = Promise.withResolvers<void>()
  let hasTargets = false
  signal.addEventListener('abort', () => {
    wakeUp.resolve()
    targetsAdded.resolve()
  })
  const following = followEvents()
  const working = work()

  return { counts, checkNow, close }

  async function close() {
    closing.abort()
    await Promise.all([following, working])
    await Promise.all([...inProgress.values()].flatMap(deliveries => [...deliveries]))
  }

  function checkNow() {
    wakeUp.resolve()
  }

  /** Only makes it faster: the outbox finds its messages by a cursor of its own. Does not follow without a target. */
  async function followEvents() {
    while (!signal.aborted) {
      await targetsAdded.promise
      try {
        for await (const { type } of hub.follow({ signal, onReady: onEvent })) {
          if (!hasTargets) break
          if (relevantEvents.has(type)) onEvent()
        }
      } catch {
        await sleep(pauseAfterError, null, { signal }).catch(() => {})
      }
    }
  }

  function onEvent() {
    hasNewEvents = true
    checkNow()
  }

  async function work() {
    let wroteMissing = false
    let lastError = ''
    while (!signal.aborted) {
      let pause = longestPause
      try {
        const targets = await outbox.targets()
        setHasTargets(targets.length > 0)
        hasNewEvents = false
        if (hasTargets) {
          if (!wroteMissing) await outbox.writeMissing()
          wroteMissing = true
          // Also without a new event: the follower may have lost its connection.
          await outbox.write()
          for (const { id } of targets) await sendTo(id)
          pause = Math.min(longestPause, await untilNext(targets.map(({ id }) => id)))
          counts.waiting = await outbox.waiting()
          lastError = ''
        } else {
          counts.waiting = 0
          pause = pauseWithoutTargets
        }
      } catch (error) {
        if (signal.aborted) return
        // Retried every second, but logged only once.
        if (String(error) !== lastError) log.warn({ error }, 'cannot send notifications at the moment')
        lastError = String(error)
        hasNewEvents = false
        pause = pauseAfterError
      }
      if (!hasNewEvents) await waitAtMost(pause)
      wakeUp = Promise.withResolvers<void>()
      if (signal.aborted) return
    }
  }

  function setHasTargets(has: boolean) {
    if (has) targetsAdded.resolve()
    else if (hasTargets) targetsAdded = Promise.withResolvers<void>()
    hasTargets = has
  }

  /** A target at its limit is checked again when one of its deliveries ends. */
  async function untilNext(targets: readonly string[]): Promise<number> {
    if (targets.some(target => freeDeliveries(target) === 0)) return longestPause
    return (await outbox.untilNext()) ?? longestPause
  }

  async function waitAtMost(pause: number) {
    const timer = setTimeout(checkNow, pause)
    await wakeUp.promise
    clearTimeout(timer)
  }

  function freeDeliveries(target: string): number {
    return concurrentDeliveries - (inProgress.get(target)?.size ?? 0)
  }

  async function sendTo(target: string) {
    const free = freeDeliveries(target)
    if (free <= 0) return
    const deliveries = inProgress.get(target) ?? new Set()
    inProgress.set(target, deliveries)
    for (const message of await outbox.lease(target, free)) {
      const delivering = deliver(message)
        .catch(error => log.warn({ error, message: message.id }, 'cannot record the result of a notification'))
        .finally(() => {
          deliveries.delete(delivering)
          checkNow()
        })
      deliveries.add(delivering)
    }
  }

  async function deliver(message: LeasedMessage) {
    const { target, about, id } = message
    const posted = await buildAndPost(message)
    if (posted.result === 'delivered') {
      await outbox.sent(message)
      counts.sent += 1
      return
    }
    const details = { target: target.name, message: id, about: about.id, finding: posted.finding }
    if (posted.result === 'gone' && target.kind === 'push') {
      await outbox.gone(message)
      log.info(details, 'removed a browser that is no longer subscribed')
      return
    }
    const { tries, age } = message
    const delay = retryDelay({ tries, age, retryAfter: posted.retryAfter, ...(random ? { random } : {}) })
    await outbox.failed(message, posted.finding, delay)
    if (delay === null) log.warn({ ...details, tries }, 'gave up a notification')
    else if (tries === 1) log.warn(details, 'a notification failed; trying again')
    counts.failed += 1
    if (delay === null) counts.givenUp += 1
  }

  async function buildAndPost(message: LeasedMessage): Promise<PostResult> {
    try {
      const options = { inbox, now: Date.now, pushKeys: outbox.pushKeys, about: message.about }
      return await post(await buildDelivery(message.target, messageOf(message, inbox), options), fetch)
    } catch (error) {
      // A target with which something is wrong must not stop the others.
      return { result: 'refused', finding: error instanceof Error ? error.message : String(error), retryAfter: null }
    }
  }
}
