import { setTimeout as delay } from 'node:timers/promises'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { SupervisorContext } from '../context.ts'
import { runFolder } from '../folder.ts'
import { type LogRecord, logSize, readLog } from './reader.ts'

export interface ShippingOptions {
  hub: Pick<HubApi, 'logs'>
  run: string
  /** The log as it is written here. */
  folder: string
  /** It is not sent any more, for this reason. */
  onRefused?: (reason: string) => void
}

export interface Shipping {
  /** Resolves when all that is in the log by now was sent, or is not wanted. */
  finish(): Promise<void>
  /** Sends no more. What is left, the next one sends. */
  stop(): Promise<void>
}

// What trickles is sent so often; a flood in pieces of this size, one after the other.
const pace = 100
const pieceBytes = 512 * 1_024
const pieceRecords = 5_000
// The hub keeps the newest 16 MiB: what is further behind is not worth the way.
const farBehind = 15 * 1_048_576
const firstPause = 200
const longestPause = 10_000

/**
 * Sends the log of a run to a hub elsewhere. The log itself is the buffer: nothing waits for the network, and nothing is
 * held but the piece under way. Where to go on, the hub knows; so it does not matter who dies in between.
 */
export function shipLog({ hub, run, folder, onRefused }: ShippingOptions): Shipping {
  const over = new AbortController()
  /** Aborted when nothing is written any more: what is there is all. */
  const complete = new AbortController()
  const shipping = ship().catch(error => {
    if (!over.signal.aborted) onRefused?.(error instanceof Error ? error.message : String(error))
  })
  return {
    finish() {
      complete.abort()
      return shipping
    },
    stop() {
      over.abort()
      return shipping
    },
  }

  async function ship(): Promise<void> {
    let end = await send({ after: '0.0' })
    while (end.wanted && !over.signal.aborted) {
      const wasComplete = complete.signal.aborted
      const { closed } = await logSize(folder)
      const piece = await readPiece(folder, end.next)
      if (piece.records.length > 0) end = await send({ after: end.next, records: piece.records })
      else if (closed && !end.closed) end = await send({ after: end.next, closed })
      else if (wasComplete) return
      else await somethingNew(end.next)
      if (!piece.isFull && !complete.signal.aborted) await pause(pace)
    }
  }

  /** Again and again while the hub is away. Only a refusal ends it. */
  async function send(input: Parameters<HubApi['logs']['append']>[1]) {
    for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
      try {
        return await hub.logs.append(run, input)
      } catch (error) {
        if (over.signal.aborted || !(error instanceof BeckonError) || final.includes(error.code)) throw error
        await delay(wait, undefined, { signal: over.signal }).catch(() => {})
        if (over.signal.aborted) throw error
      }
    }
  }

  async function somethingNew(place: string): Promise<void> {
    const signal = AbortSignal.any([over.signal, complete.signal])
    const { offset, notes } = readPlace(place)
    let known = notes
    for await (const record of readLog(folder, { from: { offset }, follow: true, signal, streams })) {
      if (record.stream !== 'note' || record.offset !== offset || known === 0) return
      known -= 1
    }
    // Closed for good: as long as nobody goes on with it, there is nothing to wait for.
    if (!signal.aborted) await pause(10 * pace)
  }

  async function pause(time: number): Promise<void> {
    await delay(time, undefined, { signal: AbortSignal.any([over.signal, complete.signal]) }).catch(() => {})
  }
}

/** Sends what a supervisor that is gone has not sent. */
export async function shipRest(
  { shipsLogs, hub, home }: Pick<SupervisorContext, 'shipsLogs' | 'hub' | 'home'>,
  run: string,
): Promise<void> {
  if (shipsLogs) await shipLog({ hub, run, folder: runFolder(home, run).log }).finish()
}

// What no patience mends. The hub itself being closed is told so, too.
const final: readonly string[] = ['not_found', 'not_allowed', 'unauthenticated', 'invalid', 'unsupported', 'too_large']
const streams = ['out', 'err', 'note'] as const

type Sent = NonNullable<Parameters<HubApi['logs']['append']>[1]['records']>[number]

async function readPiece(folder: string, place: string): Promise<{ records: Sent[]; isFull: boolean }> {
  const { offset, notes } = readPlace(place)
  const { end } = await logSize(folder)
  const records: Sent[] = []
  let bytes = 0
  let known = notes
  let from = offset
  if (end - offset > farBehind) {
    from = end - farBehind
    records.push({ stream: 'gap', missing: from - offset })
    known = 0
  }
  for await (const record of readLog(folder, { from: { offset: from }, streams })) {
    // Those that stand where the last piece ended were sent with it.
    if (record.stream === 'note' && record.offset === offset && known > 0) {
      known -= 1
      continue
    }
    records.push(sent(record))
    bytes += record.bytes.length
    if (bytes >= pieceBytes || records.length >= pieceRecords) return { records, isFull: true }
  }
  return { records, isFull: false }
}

function sent({ stream, time, bytes, missing }: LogRecord): Sent {
  const at = new Date(time).toISOString()
  if (stream === 'gap') return { stream, at, missing }
  return { stream: stream === 'in' ? 'note' : stream, at, base64: bytes.toString('base64') }
}

function readPlace(place: string): { offset: number; notes: number } {
  const [offset = 0, notes = 0] = place.split('.').map(Number)
  return { offset, notes }
}
