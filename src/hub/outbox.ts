import { type Request, type Run, settlingEvents, severities } from '../protocol/index.ts'
import { isUrgent } from '../rules/urgent.ts'
import { outboxLock } from '../store/locks.ts'
import type { EventRecord, MessageRecord, RequestRecord, TargetRecord } from '../store/records.ts'
import type { Store, Transaction, View } from '../store/store.ts'
import { isValid } from './access/grant.ts'
import { newId } from './ids.ts'
import { loadPushKeys } from './push-keys.ts'
import { type OpenTarget, openTarget, type PushKeys, type Sealing } from './sealing.ts'
import { toRequest, toRun } from './to-protocol.ts'

// Messages are rows before they are sent. A cursor writes them: the number of the last processed event advances in the same
// transaction as the messages for it, so that none is missed or doubled, however many senders run and whenever they
// die. A sender leases a message: by compare-and-set it moves `due` to the end of the lease. When a sender dies, its
// lease runs out, and the next sender sends the same message with the same id.

/** A message that the caller may send until its lease ends. */
export interface LeasedMessage {
  id: string
  event: 'request.created' | 'request.reminded' | 'run.failed'
  /** When the event happened. */
  at: string
  about: Request | Run
  target: OpenTarget
  /** How many attempts there were, including this one. */
  tries: number
  /** Milliseconds since it was written. */
  age: number
  lease: number
}

interface MessageCounts {
  waiting: number
  sent: number
  given_up: number
  cancelled: number
}

/** All that a sender of messages sees of the store. */
export interface Outbox {
  /** Writes messages for new events; returns how many. */
  write(): Promise<number>
  /** Writes messages for open requests that have none, because their events may be pruned. */
  writeMissing(): Promise<number>
  targets(): Promise<{ id: string; name: string }[]>
  /** Leases due messages to a target; cancels those about requests that are settled and runs that started again. */
  lease(target: string, limit: number): Promise<LeasedMessage[]>
  sent(message: LeasedMessage): Promise<void>
  /** Tries again after `delay` milliseconds; null gives up. */
  failed(message: LeasedMessage, error: string, delay: number | null): Promise<void>
  /** The target no longer exists: a browser that unsubscribed. */
  gone(message: LeasedMessage): Promise<void>
  /** Milliseconds until the next message is due; null when none waits. */
  untilNext(): Promise<number | null>
  /** How many messages wait. */
  waiting(): Promise<number>
  /** Messages that wait now, and those finished within the last day. */
  counts(): Promise<MessageCounts>
  pushKeys(): Promise<PushKeys>
}

const page = 200
// Longer than any call to a target takes.
const leaseDuration = 60_000
const day = 86_400_000

export function createOutbox(store: Store, sealing: Sealing): Outbox {
  return {
    write,
    writeMissing,
    targets: async () => (await store.read(view => view.targets())).map(({ id, name }) => ({ id, name })),
    lease,
    sent: message => finish(message, at => ({ state: 'sent', doneAt: at, error: null })),
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
    untilNext: () =>
      store.read(async view => {
        const next = await view.nextMessage()
        return next === null ? null : Math.max(0, next - (await view.now()))
      }),
    waiting: () => store.read(view => view.waitingMessages()),
    counts: () =>
      store.read(async view => {
        const counts = await view.countMessages((await view.now()) - day)
        return { waiting: 0, sent: 0, given_up: 0, cancelled: 0, ...counts }
      }),
    pushKeys: () => loadPushKeys(store, sealing),
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
    for (const event of events) written += await writeFor(tx, event, targets)
    await tx.setOutboxCursor(last.id)
    return { read: events.length, written }
  }

  async function writeFor(tx: Transaction, event: EventRecord, targets: readonly TargetRecord[]): Promise<number> {
    if (event.run !== null && runEvents.has(event.type)) return writeForRun(tx, event, event.run, targets)
    if (event.request === null) return 0
    if (settlingEvents.has(event.type)) await tx.cancelMessages(event.request, await tx.now())
    const occasion = occasionOf(event)
    if (occasion === null) return 0
    const olderTargets = targets.filter(target => target.createdAt <= event.at)
    const request = olderTargets.length > 0 ? await tx.request(event.request) : null
    if (request?.status !== 'pending') return 0
    let written = 0
    for (const target of olderTargets.filter(target => wants(target, request, event.at))) {
      written += Number(await writeOne(tx, request.id, target, occasion, event.at))
    }
    return written
  }

  async function writeForRun(
    tx: Transaction,
    { type, id, at }: EventRecord,
    subject: string,
    targets: readonly TargetRecord[],
  ): Promise<number> {
    if (type !== 'run.failed') {
      // It was started again: people need not hear that it had failed.
      await tx.cancelMessages(subject, await tx.now())
      return 0
    }
    const run = await tx.run(subject)
    if (run?.status !== 'failed') return 0
    let written = 0
    for (const target of targets.filter(target => target.createdAt <= at && wantsRuns(target))) {
      written += Number(await writeOne(tx, subject, target, `failed ${id}`, at))
    }
    return written
  }

  async function writeMissing(): Promise<number> {
    let written = 0
    for (const target of await store.read(view => view.targets())) {
      for (let after = ''; ; ) {
        const query = { target: target.id, since: target.createdAt, after, limit: page }
        const requests = await store.read(view => view.unannounced(query))
        written += await store.change(async tx => {
          let fresh = 0
          // Removing a target takes the same lock.
          if (!(await tx.target(target.id))) return 0
          for (const request of requests.filter(request => wants(target, request, request.createdAt))) {
            fresh += Number(await writeOne(tx, request.id, target, 'created', request.createdAt))
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

  async function lease(target: string, limit: number): Promise<LeasedMessage[]> {
    const [record, due] = await store.read(async view =>
      Promise.all([view.target(target), view.dueMessages(target, await view.now(), limit)]),
    )
    if (!record || due.length === 0) return []
    if (!(await store.read(view => isSubscribed(view, record)))) {
      await store.change(tx => tx.deleteTarget(target), outboxLock)
      return []
    }
    const opened = openTarget(await store.read(view => sealing.sealer(view)), record)
    const leased = await Promise.all(due.map(message => leaseOne(message, opened)))
    return leased.filter(message => message !== null)
  }

  function leaseOne(seen: MessageRecord, target: OpenTarget): Promise<LeasedMessage | null> {
    let leased: LeasedMessage | null = null
    return store.change(async tx => {
      // The commit's acknowledgement was lost: the lease is ours already.
      if (tx.alreadyCommitted && leased && (await tx.message(seen.id))?.due === leased.lease) return leased
      leased = await takeLease(tx, seen, target)
      return leased
    }, outboxLock)
  }

  async function finish(message: LeasedMessage, change: (at: number) => Partial<MessageRecord>): Promise<void> {
    await store.change(async tx => {
      const record = await tx.message(message.id)
      if (record) await tx.finishMessage({ ...record, ...change(await tx.now()) }, message.lease)
    }, outboxLock)
  }
}

/** A browser's session may expire and its messages go on, but not when it was signed out or the token behind it ended. */
async function isSubscribed(view: Pick<View, 'token' | 'now'>, { token }: TargetRecord): Promise<boolean> {
  if (token === null) return true
  const record = await view.token(token)
  if (!record) return false
  return isValid(view, record.kind === 'session' ? { ...record, expiresAt: null } : record)
}

async function takeLease(tx: Transaction, seen: MessageRecord, target: OpenTarget): Promise<LeasedMessage | null> {
  const about = await subjectOf(tx, seen)
  const now = await tx.now()
  if (about === null) {
    await tx.cancelMessages(seen.subject, now)
    return null
  }
  const leased = await tx.leaseMessage(seen.id, seen.due, now + leaseDuration)
  return (
    leased && {
      id: leased.id,
      event: eventOf(leased),
      at: new Date(leased.at).toISOString(),
      about,
      target,
      tries: leased.tries,
      age: now - leased.createdAt,
      lease: leased.due,
    }
  )
}

/** What a message is about, while people should hear of it. */
async function subjectOf(tx: Transaction, message: MessageRecord): Promise<Request | Run | null> {
  if (eventOf(message) === 'run.failed') {
    const run = await tx.run(message.subject)
    return run?.status === 'failed' ? toRun(run, []) : null
  }
  const request = await tx.request(message.subject)
  return request?.status === 'pending' ? toRequest(request) : null
}

function eventOf({ occasion }: MessageRecord): LeasedMessage['event'] {
  if (occasion.startsWith('failed')) return 'run.failed'
  return occasion === 'created' ? 'request.created' : 'request.reminded'
}

async function writeOne(
  tx: Transaction,
  subject: string,
  target: TargetRecord,
  occasion: string,
  at: number,
): Promise<boolean> {
  const now = await tx.now()
  return tx.insertMessage({
    id: newId('msg', now),
    subject,
    target: target.id,
    occasion,
    at,
    state: 'waiting',
    tries: 0,
    due: now,
    createdAt: now,
    doneAt: null,
    error: null,
  })
}

function occasionOf({ type, id }: EventRecord): string | null {
  if (type === 'request.created') return 'created'
  return type === 'request.reminded' ? `reminded ${id}` : null
}

const runEvents = new Set<string>(['run.failed', 'run.started', 'run.woken'])

/** A target that was restricted to kinds of requests hears of nothing else. */
function wantsRuns({ wants: { kinds, urgentOnly = false } }: TargetRecord): boolean {
  return kinds === null && !urgentOnly
}

/** Only approvals have a severity: a minimum does not keep other kinds away. */
function wants(target: TargetRecord, request: RequestRecord, at: number): boolean {
  const { kinds, minSeverity, urgentOnly = false } = target.wants
  if (urgentOnly && !isUrgent({ danger: request.danger, deadline: request.deadline }, at)) return false
  if (kinds !== null && !kinds.includes(request.kind)) return false
  if (minSeverity === null || request.kind !== 'approval') return true
  const { action } = request.body as { action: { severity: (typeof severities)[number] } }
  return severities.indexOf(action.severity) >= severities.indexOf(minSeverity)
}
