import { setTimeout as delay } from 'node:timers/promises'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { SupervisorContext } from '../context.ts'
import { runFolder } from '../folder.ts'
import { type LogRecord, logSize, readLog } from './reader.ts'

export interface ShippingOptions {
  hub: Pick<HubApi, 'logs'>
  run: string
  /** The folder of the local log. */
  folder: string
  /** Called when the hub refuses the log; nothing is sent after that. */
  onRefused?: (reason: string) => void
}

export interface Shipping {
  /** Resolves when everything in the log is sent, or the hub does not want it. */
  finish(): Promise<void>
  /** Stops sending. The next supervisor sends the rest. */
  stop(): Promise<void>
}

// A trickle is sent at this interval, a flood in pieces of this size, one after the other.
const sendEvery = 100
const pieceBytes = 512 * 1_024
const pieceRecords = 5_000
// The hub keeps the newest 16 MiB, so older output need not be sent.
const maxBehind = 15 * 1_048_576
const firstPause = 200
const longestPause = 10_000

/**
 * Sends the log of a run to a hub on another machine. The log itself is the buffer: nothing waits for the network, and only
 * the piece being sent is in memory. The hub knows where to continue, so any process may die in between.
 */
export function shipLog({ hub, run, folder, onRefused }: ShippingOptions): Shipping {
  const over = new AbortController()
  /** Aborted when the log is complete. */
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
      else await waitForMore(end.next)
      if (!piece.isFull && !complete.signal.aborted) await pause(sendEvery)
    }
  }

  /** Retries while the hub is unreachable. Only a refusal ends it. */
  async function send(input: Parameters<HubApi['logs']['append']>[1]) {
    for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
      try {
        return await hub.logs.append(run, input)
      } catch (error) {
        if (over.signal.aborted || !(error instanceof BeckonError) || refusals.includes(error.code)) throw error
        await delay(wait, undefined, { signal: over.signal }).catch(() => {})
        if (over.signal.aborted) throw error
      }
    }
  }

  async function waitForMore(position: string): Promise<void> {
    const signal = AbortSignal.any([over.signal, complete.signal])
    const { offset, notes } = parsePosition(position)
    let known = notes
    for await (const record of readLog(folder, { from: { offset }, follow: true, signal, streams })) {
      if (record.stream !== 'note' || record.offset !== offset || known === 0) return
      known -= 1
    }
    // The log is closed: more comes only if another supervisor opens it again.
    if (!signal.aborted) await pause(10 * sendEvery)
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

// Errors that a retry does not mend. A closed hub reports one of them too.
const refusals: readonly string[] = [
  'not_found',
  'not_allowed',
  'unauthenticated',
  'invalid',
  'unsupported',
  'too_large',
]
const streams = ['out', 'err', 'note'] as const

type SentRecord = NonNullable<Parameters<HubApi['logs']['append']>[1]['records']>[number]

async function readPiece(folder: string, position: string): Promise<{ records: SentRecord[]; isFull: boolean }> {
  const { offset, notes } = parsePosition(position)
  const { end } = await logSize(folder)
  const records: SentRecord[] = []
  let bytes = 0
  let known = notes
  let from = offset
  if (end - offset > maxBehind) {
    from = end - maxBehind
    records.push({ stream: 'gap', missing: from - offset })
    known = 0
  }
  for await (const record of readLog(folder, { from: { offset: from }, streams })) {
    // The notes at the end of the last piece were sent with it.
    if (record.stream === 'note' && record.offset === offset && known > 0) {
      known -= 1
      continue
    }
    records.push(toSentRecord(record))
    bytes += record.bytes.length
    if (bytes >= pieceBytes || records.length >= pieceRecords) return { records, isFull: true }
  }
  return { records, isFull: false }
}

function toSentRecord({ stream, time, bytes, missing }: LogRecord): SentRecord {
  const at = new Date(time).toISOString()
  if (stream === 'gap') return { stream, at, missing }
  return { stream: stream === 'in' ? 'note' : stream, at, base64: bytes.toString('base64') }
}

function parsePosition(position: string): { offset: number; notes: number } {
  const [offset = 0, notes = 0] = position.split('.').map(Number)
  return { offset, notes }
}
