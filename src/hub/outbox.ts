import { type Request, settlingEvents, severities } from '../protocol/index.ts'
import type { EventRecord, MessageRecord, RequestRecord, TargetRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { newId } from './ids.ts'
import { pushKeysOf } from './push-keys.ts'
import { type OpenTarget, openTarget, type PushKeys, type Sealing } from './sealing.ts'
import { showRequest } from './to-protocol.ts'

// Messages are rows before they are sent. They are written by cursor: the number of the last event that was looked at
// moves on in the same transaction as the messages that follow from it, so that none is missed and none doubled, however
// many look and whenever they die. To send one, it is leased: `due` moves to when the lease ends, by compare-and-set.
// Whoever dies while sending lets the lease run out, and the next one sends the same message, with the same id.

/** A message that is ours to send until its lease ends. */
export interface LeasedMessage {
  id: string
  event: 'request.created' | 'request.reminded'
  /** When it happened. */
  at: string
  request: Request
  target: OpenTarget
  /** How often it was tried, this time included. */
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

/** What sends messages holds this, and nothing else of the store. */
export interface Outbox {
  /** Writes the messages that follow from what has happened; how many. */
  write(): Promise<number>
  /** The same for what is open and was never announced: its event may be gone. */
  writeMissing(): Promise<number>
  targets(): Promise<{ id: string; name: string }[]>
  /** Takes messages to a target that are due; those about what is settled by now are cancelled instead. */
  lease(target: string, limit: number): Promise<LeasedMessage[]>
  sent(message: LeasedMessage): Promise<void>
  /** Again after `delay` milliseconds, or never. */
  failed(message: LeasedMessage, error: string, delay: number | null): Promise<void>
  /** The target is no more: a browser that was unsubscribed. */
  gone(message: LeasedMessage): Promise<void>
  /** Milliseconds until the next message is due; null when none waits. */
  untilNext(): Promise<number | null>
  /** How many wait. */
  waiting(): Promise<number>
  /** Waiting now, and done within the last day. */
  counts(): Promise<MessageCounts>
  pushKeys(): Promise<PushKeys>
}

const page = 200
// Longer than any call to a target takes.
const leaseLasts = 60_000
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
      })
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
    pushKeys: () => pushKeysOf(store, sealing),
  }

  async function write(): Promise<number> {
    let written = 0
    for (;;) {
      const pass = await store.change(writePage, 'outbox')
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
    for (const event of events) written += await follow(tx, event, targets)
    await tx.setOutboxCursor(last.id)
    return { read: events.length, written }
  }

  async function follow(tx: Transaction, event: EventRecord, targets: readonly TargetRecord[]): Promise<number> {
    if (event.request === null) return 0
    if (settlingEvents.has(event.type)) await tx.cancelMessages(event.request, await tx.now())
    const occasion = occasionOf(event)
    if (occasion === null) return 0
    const hearing = targets.filter(target => target.createdAt <= event.at)
    const request = hearing.length > 0 ? await tx.request(event.request) : null
    if (request?.status !== 'pending') return 0
    let written = 0
    for (const target of hearing) written += Number(await writeOne(tx, request, target, occasion, event.at))
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
          // By the same lock as whoever removes it.
          if (!(await tx.target(target.id))) return 0
          for (const request of requests)
            fresh += Number(await writeOne(tx, request, target, 'created', request.createdAt))
          return fresh
        }, 'outbox')
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
    const opened = openTarget(await store.read(view => sealing.sealer(view)), record)
    const leased = await Promise.all(due.map(message => store.change(tx => leaseOne(tx, message, opened))))
    return leased.filter(message => message !== null)
  }

  async function finish(message: LeasedMessage, change: (at: number) => Partial<MessageRecord>): Promise<void> {
    await store.change(async tx => {
      const record = await tx.message(message.id)
      if (record) await tx.finishMessage({ ...record, ...change(await tx.now()) }, message.lease)
    })
  }
}

async function leaseOne(tx: Transaction, seen: MessageRecord, target: OpenTarget): Promise<LeasedMessage | null> {
  const request = await tx.request(seen.request)
  const now = await tx.now()
  if (request?.status !== 'pending') {
    await tx.cancelMessages(seen.request, now)
    return null
  }
  const leased = await tx.leaseMessage(seen.id, seen.due, now + leaseLasts)
  return (
    leased && {
      id: leased.id,
      event: leased.occasion === 'created' ? 'request.created' : 'request.reminded',
      at: new Date(leased.at).toISOString(),
      request: showRequest(request),
      target,
      tries: leased.tries,
      age: now - leased.createdAt,
      lease: leased.due,
    }
  )
}

async function writeOne(
  tx: Transaction,
  request: RequestRecord,
  target: TargetRecord,
  occasion: string,
  at: number,
): Promise<boolean> {
  if (!wants(target, request)) return false
  const now = await tx.now()
  return tx.insertMessage({
    id: newId('msg', now),
    request: request.id,
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

/** Only an approval has a severity; a target that names one hears of other kinds all the same. */
function wants({ wants: { kinds, minSeverity } }: TargetRecord, request: RequestRecord): boolean {
  if (kinds !== null && !kinds.includes(request.kind)) return false
  if (minSeverity === null || request.kind !== 'approval') return true
  const { action } = request.body as { action: { severity: (typeof severities)[number] } }
  return severities.indexOf(action.severity) >= severities.indexOf(minSeverity)
}
