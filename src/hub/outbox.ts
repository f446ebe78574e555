import { outboxLock } from '../store/locks.ts'
import type { MessageRecord, TargetRecord } from '../store/records.ts'
import type { Store, Transaction, View } from '../store/store.ts'
import { stillCounts } from './access/grant.ts'
import { writeCallbacks } from './callbacks.ts'
import { isForProgram, writeForPrograms } from './machine-events.ts'
import { callbackTarget, readOccasion } from './machine-occasion.ts'
import { writeForPeople } from './people-events.ts'
import { type LeasedMessage, takeLease } from './people-outbox.ts'
import { type LeasedEvent, leaseCallbacks, takeEventLease } from './program-outbox.ts'
import { loadPushKeys } from './push-keys.ts'
import { openTarget, type PushKeys, type Sealing } from './sealing.ts'
import { dueTime } from './target-wants.ts'
import { writeMessage } from './write-message.ts'

export type { LeasedMessage } from './people-outbox.ts'

// Messages are rows before they are sent. A cursor writes them: the number of the last processed event advances in the same
// transaction as the messages for it, so that none is missed or doubled, however many senders run and whenever they
// die. A sender leases a message: by compare-and-set it moves `due` to the end of the lease. When a sender dies, its
// lease runs out, and the next sender sends the same message with the same id.
//
// When a request is settled, each target that has a message about it gets one more: that it is settled. It carries the
// handles of the earlier ones, so that a channel that can edit changes them and others follow up. A message that is being
// sent at that moment is not cancelled: its sender records its handle first. One that may have been sent by a sender that
// died since counts as sent.

interface MessageCounts {
  waiting: number
  sent: number
  given_up: number
  cancelled: number
}

interface SendingTarget {
  id: string
  name: string
  /** `callback`: a host at which askers wait to be called. */
  kind: TargetRecord['kind'] | 'callback'
  address: string
  /** It chose events by type. */
  isForProgram: boolean
}

/** All that a sender of messages sees of the store. */
export interface Outbox {
  /** Writes messages for new events; returns how many. */
  write(): Promise<number>
  /** Writes messages to the addresses that the askers of these settled requests gave, or of all; returns how many. */
  writeCallbacks(requests: readonly string[] | null): Promise<number>
  /** Writes messages for open requests that have none, because their events may be pruned. */
  writeMissing(): Promise<number>
  targets(): Promise<SendingTarget[]>
  /** Leases due messages to a target; cancels those about requests that are settled and runs that started again. */
  lease(target: string, limit: number): Promise<(LeasedMessage | LeasedEvent)[]>
  /** The target accepted it, and may call it by a handle. */
  sent(message: LeasedMessage | LeasedEvent, handle?: string | null): Promise<void>
  /** Tries again after `delay` milliseconds; null gives up. */
  failed(message: LeasedMessage | LeasedEvent, error: string, delay: number | null): Promise<void>
  /** The target no longer exists: a browser that unsubscribed. */
  gone(message: LeasedMessage | LeasedEvent): Promise<void>
  /** Milliseconds until the next message to one of these targets is due; null when none waits. */
  untilNext(targets: readonly string[]): Promise<number | null>
  /** How many messages wait. */
  waiting(): Promise<number>
  /** Messages that wait now, and those finished within the last day. */
  counts(): Promise<MessageCounts>
  pushKeys(): Promise<PushKeys>
  /** Remembers where the inbox is, so that people are warned when links to it open nowhere else. */
  announceInbox(url: string): Promise<void>
  /** Where the inbox is; null when no server has run. */
  inbox(): Promise<string | null>
}

const page = 200
const day = 86_400_000

export function createOutbox(store: Store, sealing: Sealing): Outbox {
  return {
    write,
    writeMissing,
    writeCallbacks: requests => writeCallbacks(store, requests),
    targets: () => store.read(sendingTargets),
    lease,
    sent: (message, handle = null) => finish(message, at => ({ state: 'sent', doneAt: at, error: null, handle })),
    failed: (message, error, delay) =>
      finish(message, at =>
        delay === null
          ? { state: 'given_up', doneAt: at, error }
          : { state: 'waiting', due: at + Math.ceil(delay), error },
      ),
    gone: async message => {
      await store.change(async tx => {
        const record = await tx.message(message.id)
        return record !== null && tx.deleteTarget(record.target)
      }, outboxLock)
    },
    untilNext: targets =>
      store.read(async view => {
        const dues = await Promise.all(targets.map(target => view.nextMessage(target)))
        const next = Math.min(...dues.filter(due => due !== null))
        return Number.isFinite(next) ? Math.max(0, next - (await view.now())) : null
      }),
    waiting: () => store.read(async view => view.waitingMessages(await view.now())),
    counts: () =>
      store.read(async view => {
        const now = await view.now()
        const counts = await view.countMessages(now - day)
        return { sent: 0, given_up: 0, cancelled: 0, ...counts, waiting: await view.waitingMessages(now) }
      }),
    pushKeys: () => loadPushKeys(store, sealing),
    inbox: () => store.read(view => view.inboxAddress()),
    async announceInbox(url) {
      if ((await store.read(view => view.inboxAddress())) === url) return
      await store.change(tx => tx.setInboxAddress(url), outboxLock)
    },
  }

  async function write(): Promise<number> {
    let written = 0
    for (;;) {
      const pass = await store.change(writePage, outboxLock)
      written += pass.written
      if (pass.read < page) return written
    }
  }

  async function writePage(tx: Transaction): Promise<{ read: number; written: number }> {
    const targets = await tx.targets()
    if (targets.length === 0) return { read: 0, written: 0 }
    const events = await tx.events((await tx.outboxCursor()) ?? 0, page)
    const last = events.at(-1)
    if (!last) return { read: 0, written: 0 }
    let written = 0
    const programs = targets.filter(isForProgram)
    const people = targets.filter(target => !isForProgram(target))
    for (const event of events) {
      written += await writeForPeople(tx, event, people)
      written += await writeForPrograms(tx, event, programs)
    }
    await tx.setOutboxCursor(last.id)
    return { read: events.length, written }
  }

  async function writeMissing(): Promise<number> {
    let written = 0
    const targets = await store.read(view => view.targets())
    for (const target of targets.filter(target => !isForProgram(target))) {
      for (let after = ''; ; ) {
        const query = { target: target.id, since: target.createdAt, after, limit: page }
        const requests = await store.read(view => view.unannounced(query))
        written += await store.change(async tx => {
          let fresh = 0
          // Removing a target takes the same lock.
          if (!(await tx.target(target.id))) return 0
          for (const request of requests) {
            const due = dueTime(target, request)
            const message = { subject: request.id, target: target.id, occasion: 'created', at: request.createdAt }
            if (due !== null) fresh += Number(await writeMessage(tx, { ...message, due }))
          }
          return fresh
        }, outboxLock)
        const last = requests.at(-1)
        if (!last || requests.length < page) break
        after = last.id
      }
    }
    return written
  }

  async function lease(target: string, limit: number): Promise<(LeasedMessage | LeasedEvent)[]> {
    if (target.startsWith(callbackTarget)) return leaseCallbacks({ store, sealing, leaseOne }, target, limit)
    const [record, due] = await store.read(async view =>
      Promise.all([view.target(target), view.dueMessages(target, await view.now(), limit)]),
    )
    if (!record || due.length === 0) return []
    if (!(await store.read(view => stillCounts(view, record.token)))) {
      await store.change(tx => tx.deleteTarget(target), outboxLock)
      return []
    }
    const opened = openTarget(await store.read(view => sealing.sealer(view)), record)
    const leased = await Promise.all(
      due.map(message => {
        const occasion = readOccasion(message.occasion)
        return leaseOne<LeasedMessage | LeasedEvent>(message, tx =>
          occasion ? takeEventLease(tx, message, occasion, opened) : takeLease(tx, message, record, opened),
        )
      }),
    )
    return leased.filter(message => message !== null)
  }

  function leaseOne<Leased extends { lease: number }>(
    seen: MessageRecord,
    take: (tx: Transaction) => Promise<Leased | null>,
  ): Promise<Leased | null> {
    let leased: Leased | null = null
    return store.change(async tx => {
      // The commit's acknowledgement was lost: the lease is ours already.
      if (tx.alreadyCommitted && leased && (await tx.message(seen.id))?.due === leased.lease) return leased
      leased = await take(tx)
      return leased
    }, outboxLock)
  }

  async function finish(
    message: LeasedMessage | LeasedEvent,
    change: (at: number) => Partial<MessageRecord>,
  ): Promise<void> {
    await store.change(async tx => {
      const record = await tx.message(message.id)
      if (!record) return
      const now = await tx.now()
      await tx.finishMessage({ ...record, ...change(now) }, message.lease)
      await tx.hastenSettled(record.subject, record.target, now)
    }, outboxLock)
  }
}

async function sendingTargets(view: View): Promise<SendingTarget[]> {
  const targets = await view.targets()
  const hosts = await view.waitingCallbackHosts()
  return [
    ...targets.map(target => {
      const { id, name, kind, shown: address } = target
      return { id, name, kind, address, isForProgram: isForProgram(target) }
    }),
    ...hosts.map(id => {
      const host = id.slice(callbackTarget.length)
      return { id, name: host, kind: 'callback' as const, address: host, isForProgram: false }
    }),
  ]
}
