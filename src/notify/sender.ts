import { setTimeout as sleep } from 'node:timers/promises'
import type { LeasedMessage, Outbox } from '../hub/outbox.ts'
import { type HubApi, settlingEvents } from '../protocol/index.ts'
import { messageOf } from './message.ts'
import { nextTry } from './next-try.ts'
import { pack } from './pack.ts'
import { type Fetch, type Posted, post } from './post.ts'

export interface SenderOptions {
  hub: Pick<HubApi, 'follow'>
  outbox: Outbox
  /** Where the inbox is, as a person reaches it. */
  inbox: string
  log: { warn(about: object, what: string): void; info(about: object, what: string): void }
  fetch?: Fetch
  random?: () => number
}

export interface Sender {
  /** What this sender has done, and what waits for any of them. */
  counts: { waiting: number; sent: number; failed: number; givenUp: number }
  /** Looks now what is to be sent, though nothing was heard. */
  look(): void
  /** Ends what is under way, and begins nothing more. */
  close(): Promise<void>
}

// To one target at once, so that one that hangs holds up nobody but itself.
const atOnce = 4
// No longer than this without a look: another process may have added a target, or have died with a message in its hands.
const longestSleep = 5_000
const whileNobodyIsTold = 2_000
const afterFault = 1_000

const moving = new Set<string>(['request.created', 'request.reminded', ...settlingEvents])

/** Tells people of what waits, as long as it runs. Any number of these may run over one database. */
export function startSender({ hub, outbox, inbox, log, fetch, random }: SenderOptions): Sender {
  const closing = new AbortController()
  const { signal } = closing
  const counts = { waiting: 0, sent: 0, failed: 0, givenUp: 0 }
  const underWay = new Map<string, Set<Promise<void>>>()
  let bell = Promise.withResolvers<void>()
  let isBehind = true
  let isNeeded = Promise.withResolvers<void>()
  let hasTargets = false
  signal.addEventListener('abort', () => {
    bell.resolve()
    isNeeded.resolve()
  })
  const following = followEvents()
  const working = work()

  return { counts, look: ring, close }

  async function close() {
    closing.abort()
    await Promise.all([following, working])
    await Promise.all([...underWay.values()].flatMap(sends => [...sends]))
  }

  function ring() {
    bell.resolve()
  }

  /** Only for the sake of speed: what has to be sent is found by the outbox's own cursor. Costs nothing without a target. */
  async function followEvents() {
    while (!signal.aborted) {
      await isNeeded.promise
      try {
        for await (const { type } of hub.follow({ signal, onReady: wakeUp })) {
          if (!hasTargets) break
          if (moving.has(type)) wakeUp()
        }
      } catch {
        await sleep(afterFault, null, { signal }).catch(() => {})
      }
    }
  }

  function wakeUp() {
    isBehind = true
    ring()
  }

  async function work() {
    let hasLookedBack = false
    let told = ''
    while (!signal.aborted) {
      let pause = longestSleep
      try {
        const targets = await outbox.targets()
        need(targets.length > 0)
        if (hasTargets) {
          if (!hasLookedBack) await outbox.writeMissing()
          hasLookedBack = true
          // What follows is written even though nothing was heard: a follower may have lost its connection.
          isBehind = false
          await outbox.write()
          for (const { id } of targets) await sendTo(id)
          pause = Math.min(longestSleep, await untilNext(targets.map(({ id }) => id)))
          counts.waiting = await outbox.waiting()
          told = ''
        } else {
          isBehind = false
          counts.waiting = 0
          pause = whileNobodyIsTold
        }
      } catch (error) {
        if (signal.aborted) return
        // It is tried every second, and told once.
        if (String(error) !== told) log.warn({ error }, 'messages cannot be sent at the moment')
        told = String(error)
        isBehind = false
        pause = afterFault
      }
      if (!isBehind) await nap(pause)
      bell = Promise.withResolvers<void>()
      if (signal.aborted) return
    }
  }

  function need(has: boolean) {
    if (has) isNeeded.resolve()
    else if (hasTargets) isNeeded = Promise.withResolvers<void>()
    hasTargets = has
  }

  /** A target whose hands are full is looked at again when one of them is free. */
  async function untilNext(targets: readonly string[]): Promise<number> {
    if (targets.some(target => roomAt(target) === 0)) return longestSleep
    return (await outbox.untilNext()) ?? longestSleep
  }

  async function nap(pause: number) {
    const timer = setTimeout(ring, pause)
    await bell.promise
    clearTimeout(timer)
  }

  function roomAt(target: string): number {
    return atOnce - (underWay.get(target)?.size ?? 0)
  }

  async function sendTo(target: string) {
    const room = roomAt(target)
    if (room <= 0) return
    const sends = underWay.get(target) ?? new Set()
    underWay.set(target, sends)
    for (const message of await outbox.lease(target, room)) {
      const sending = sendOne(message)
        .catch(error => log.warn({ error, message: message.id }, 'what became of a message could not be written down'))
        .finally(() => {
          sends.delete(sending)
          ring()
        })
      sends.add(sending)
    }
  }

  async function sendOne(message: LeasedMessage) {
    const { target, request, id } = message
    const posted = await postOne(message)
    if (posted.result === 'taken') {
      await outbox.sent(message)
      counts.sent += 1
      return
    }
    const about = { target: target.name, message: id, request: request.id, finding: posted.finding }
    if (posted.result === 'gone' && target.kind === 'push') {
      await outbox.gone(message)
      log.info(about, 'a browser is no longer subscribed, and removed')
      return
    }
    const { tries, age } = message
    const delay = nextTry({ tries, age, retryAfter: posted.retryAfter, ...(random ? { random } : {}) })
    await outbox.failed(message, posted.finding, delay)
    if (delay === null) log.warn({ ...about, tries }, 'a message was given up')
    else if (tries === 1) log.warn(about, 'a message was not taken; it is tried again')
    counts.failed += 1
    if (delay === null) counts.givenUp += 1
  }

  async function postOne(message: LeasedMessage): Promise<Posted> {
    try {
      const packing = { inbox, now: Date.now, pushKeys: outbox.pushKeys }
      const parcel = await pack(message.target, messageOf(message, inbox), packing)
      return await post(parcel, fetch)
    } catch (error) {
      // It cannot be packed, by whatever is wrong with this target; the others go on.
      return { result: 'refused', finding: error instanceof Error ? error.message : String(error), retryAfter: null }
    }
  }
}
