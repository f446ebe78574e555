import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackTarget } from '../hub/machine-occasion.ts'
import type { LeasedMessage, Outbox } from '../hub/outbox.ts'
import type { LeasedEvent } from '../hub/program-outbox.ts'
import { type HubApi, settlingEvents, type TargetKind } from '../protocol/index.ts'
import type { Fetch, SendResult } from './channel.ts'
import { type Answering, messageOf } from './message.ts'
import { openChannel } from './open-channel.ts'
import { retryDelay } from './retry-delay.ts'
import { type ProgramOptions, sendToProgram } from './send-to-program.ts'
import { createSettledRequests } from './settled-requests.ts'

export interface SenderOptions {
  hub: Pick<HubApi, 'follow'>
  outbox: Outbox
  /** The address of the inbox, as people reach it. */
  inbox: string
  /** This machine: messages to its desktop are sent here and nowhere else. */
  host?: string
  log: { warn(details: object, message: string): void; info(details: object, message: string): void }
  fetch?: Fetch
  /** Calls the addresses of askers; without it, nobody is called. */
  callBack?: ProgramOptions['callBack']
  /** Of the programs that show notifications on a desktop. */
  env?: NodeJS.ProcessEnv
  random?: () => number
  /** For messages to chats: what may be answered in them, and where the bot writes to. */
  prepareChat?: PrepareChat
  /** Runs an attempt as part of a trace. */
  trace?: (message: LeasedMessage | LeasedEvent, work: () => Promise<SendResult>) => Promise<SendResult>
  /** Hears of every attempt; of one that succeeded, with the milliseconds since the event. */
  onResult?: (target: TargetKind | 'callback', result: 'sent' | 'failed' | 'given_up', milliseconds?: number) => void
}

export type PrepareChat = (
  message: LeasedMessage,
  inbox: string,
) => Promise<{ target: LeasedMessage['target']; answering: Answering | null }>

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
// Of all hosts together: with *.example.com on the list, askers choose how many there are.
const concurrentCallbacks = 32
// Upper limit between two checks: another process may have added a target, or died with a leased message.
const longestPause = 5_000
const pauseWithoutTargets = 2_000
const pauseAfterError = 1_000

const relevantEvents = new Set<string>(['request.created', 'request.reminded', 'run.failed', ...settlingEvents])

/** Sends notifications until it is closed. Any number of senders may share a database. */
export function startSender(options: SenderOptions): Sender {
  const { hub, outbox, inbox, host = hostname(), log, fetch, callBack, env, random } = options
  const { prepareChat = withoutChat, onResult = () => {}, trace = (_, work) => work() } = options
  const closing = new AbortController()
  const { signal } = closing
  const counts = { waiting: 0, sent: 0, failed: 0, givenUp: 0 }
  const inProgress = new Map<string, Set<Promise<void>>>()
  let wakeUp = Promise.withResolvers<void>()
  let hasNewEvents = true
  let targetsAdded = Promise.withResolvers<void>()
  let hasTargets = false
  let hasPrograms = false
  const settledRequests = createSettledRequests()
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
        for await (const { type, request } of hub.follow({ signal, onReady: onEvent })) {
          if (!hasTargets) break
          if (callBack && settlingEvents.has(type)) settledRequests.add(request)
          if (hasPrograms || relevantEvents.has(type)) onEvent()
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
    let announcedInbox = false
    let lastError = ''
    while (!signal.aborted) {
      let pause = longestPause
      try {
        if (!announcedInbox) await outbox.announceInbox(inbox)
        announcedInbox = true
        if (callBack) await outbox.writeCallbacks(settledRequests.take())
        const all = await outbox.targets()
        const targets = all.filter(({ kind, address }) => kind !== 'desktop' || address === host)
        setHasTargets(all.length > 0 || callBack !== undefined)
        hasPrograms = all.some(({ isForProgram }) => isForProgram)
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
    return (await outbox.untilNext(targets)) ?? longestPause
  }

  async function waitAtMost(pause: number) {
    const timer = setTimeout(checkNow, pause)
    await wakeUp.promise
    clearTimeout(timer)
  }

  function freeDeliveries(target: string): number {
    const free = concurrentDeliveries - (inProgress.get(target)?.size ?? 0)
    return isCallback(target) ? Math.min(free, concurrentCallbacks - callbacksInProgress()) : free
  }

  function callbacksInProgress(): number {
    let count = 0
    for (const [target, { size }] of inProgress) if (isCallback(target)) count += size
    return count
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

  async function deliver(message: LeasedMessage | LeasedEvent) {
    const { target, about, id } = message
    const posted = await trace(message, () => send(message))
    if (posted.result === 'delivered') {
      await outbox.sent(message, posted.handle)
      counts.sent += 1
      onResult(target.kind, 'sent', Math.max(0, Date.now() - Date.parse(message.at)))
      return
    }
    const details = { target: target.name, message: id, about: about.id, finding: posted.finding }
    if (posted.result === 'gone' && target.kind === 'push') {
      await outbox.gone(message)
      log.info(details, 'removed a browser that is no longer subscribed')
      return
    }
    const { tries, age } = message
    // Nobody waits at the asker's address any more.
    const isOver = posted.result === 'gone' && target.kind === 'callback'
    const delay = isOver
      ? null
      : retryDelay({ tries, age, retryAfter: posted.retryAfter, ...(random ? { random } : {}) })
    await outbox.failed(message, posted.finding, delay)
    if (delay === null) log.warn({ ...details, tries }, 'gave up a notification')
    else if (tries === 1) log.warn(details, 'a notification failed; trying again')
    counts.failed += 1
    onResult(target.kind, 'failed')
    if (delay !== null) return
    counts.givenUp += 1
    onResult(target.kind, 'given_up')
  }

  async function send(leased: LeasedMessage | LeasedEvent): Promise<SendResult> {
    try {
      if ('number' in leased) return await sendToProgram(leased, { inbox, now: Date.now, fetch, callBack })
      const { target, answering } = await prepareChat(leased, inbox)
      const channel = openChannel(target, { inbox, now: Date.now, pushKeys: outbox.pushKeys, fetch, env })
      const message = { ...messageOf(leased, { inbox, host, timeZone: leased.timeZone }), answering }
      if (message.settlement === null || !channel.update || leased.handles.length === 0)
        return await channel.send(message)
      for (const handle of leased.handles) {
        const updated = await channel.update(handle, message)
        if (updated.result !== 'delivered') return updated
      }
      return { result: 'delivered', finding: 'updated', reply: '', handle: null }
    } catch (error) {
      // A target with which something is wrong must not stop the others.
      const finding = error instanceof Error ? error.message : String(error)
      return { result: 'refused', finding, reply: '', retryAfter: null }
    }
  }
}

const withoutChat: PrepareChat = async ({ target }) => ({ target, answering: null })

function isCallback(target: string): boolean {
  return target.startsWith(callbackTarget)
}
