import { BeckonError } from '../../protocol/errors.ts'
import { createRedactor } from '../../secrets/redact.ts'
import { createLogFiles } from './files.ts'
import { blockBytes, type RecordKind } from './format.ts'
import { createStaging } from './staging.ts'

export interface LogWriterOptions {
  /** Never recorded; more can be added while the run goes on. */
  secrets?: Iterable<string>
  /** What one run's log may take on the disk; beyond it the oldest segments are removed. The default is 1 GiB. */
  maxBytes?: number
  /** The default is 16 MiB. */
  segmentBytes?: number
  /** Nothing is recorded any more, for this reason; the run goes on, and so do the attempts. */
  onStopped?: (fault: BeckonError) => void
  /** It is recorded again. So many bytes of output are missing. */
  onResumed?: (missing: number) => void
  clock?: () => number
}

export interface LogWriter {
  /** False when much is waiting for the disk; then `drained` says when to go on. The bytes are copied. */
  write(stream: 'out' | 'err', bytes: Uint8Array): boolean
  drained(): Promise<void>
  /** A line of ours among the output; `in` for what was given to the agent. */
  note(text: string, stream?: 'note' | 'in'): void
  addSecret(secret: string): void
  /** How much output there was by now: the offset that the next byte will have. */
  position(): number
  /** All that was written before is in the file (but for the beginning of what may be a secret). */
  flush(): Promise<void>
  /** Without `final` followers go on waiting: for runs that sleep, or that another supervisor takes over. */
  close(options?: { final?: boolean }): Promise<void>
}

const mebibyte = 1_048_576
// At most so often where output trickles; the first bytes after a silence are written at once.
const pace = 50
// So much is written without waiting for the pace; and beyond the other the agent has to wait for the disk.
const enough = 262_144
const highWater = 4 * enough
const retryAfter = 1_000
const maxNote = 4_000

/**
 * Appends to the log of a run, with secrets redacted. A disk that is full, or fails otherwise, never stops the run: what
 * cannot be recorded is counted and passed over, and once there is room a note tells how much is missing.
 */
export async function openLogWriter(folder: string, options: LogWriterOptions = {}): Promise<LogWriter> {
  const { segmentBytes = 16 * mebibyte, maxBytes = 1_024 * mebibyte, clock = Date.now, onStopped, onResumed } = options
  const files = createLogFiles(folder, { segmentBytes: Math.max(segmentBytes, blockBytes), maxBytes })
  const end = await files.recover()
  const staging = createStaging(end, segmentBytes)
  // Each stream has its own, for a secret may be under way in both. One half printed to each is not found.
  const redactors = { out: createRedactor(), err: createRedactor(), note: createRedactor() }
  const waiters: { target: number; resolve: () => void }[] = []
  let done = 0
  let urgent = 0
  let lastWrite = Number.NEGATIVE_INFINITY
  let hurry: (() => void) | null = null
  let pumping = false
  let fault: BeckonError | null = null
  let retry: NodeJS.Timeout | undefined
  let resuming: Promise<void> | null = null
  let closing: Promise<void> | null = null
  for (const secret of options.secrets ?? []) addSecret(secret)
  if (end.closed) append('begin')

  return { write, drained, note, addSecret, position: staging.offset, flush, close }

  function write(stream: 'out' | 'err', bytes: Uint8Array): boolean {
    refuseClosed()
    record(stream, redactors[stream].push(bytes))
    return staging.staged() - done <= highWater
  }

  function drained(): Promise<void> {
    return reached(staging.staged() - highWater / 2)
  }

  function note(text: string, stream: 'note' | 'in' = 'note') {
    refuseClosed()
    noteNow(text, stream)
  }

  function noteNow(text: string, stream: 'note' | 'in') {
    const told = Buffer.concat([redactors.note.push(Buffer.from(text)), redactors.note.end()]).toString()
    if (fault || told === '') return
    append(stream, told.length > maxNote ? `${told.slice(0, maxNote)}…` : told)
  }

  function addSecret(secret: string) {
    for (const redactor of Object.values(redactors)) redactor.add(secret)
  }

  function flush(): Promise<void> {
    urgent = staging.staged()
    stir()
    return reached(urgent)
  }

  function close({ final = true } = {}): Promise<void> {
    closing ??= finish(final)
    return closing
  }

  async function finish(final: boolean) {
    for (const stream of ['out', 'err'] as const) record(stream, redactors[stream].end())
    clearTimeout(retry)
    if (fault) await resume(fault)
    if (final && !fault) append('end')
    await flush()
    clearTimeout(retry)
    await files.close().catch(error => onStopped?.(error))
  }

  function record(stream: 'out' | 'err', bytes: Buffer) {
    if (bytes.length === 0) return
    if (fault) return staging.pass(bytes.length)
    staging.append(stream, bytes, clock())
    stir()
  }

  function append(kind: RecordKind, text = '') {
    staging.appendWhole(kind, Buffer.from(text), clock())
    stir()
  }

  function refuseClosed() {
    if (closing) throw new BeckonError('closed', 'The log was closed.')
  }

  /** Once so many bytes have been written, or given up. */
  async function reached(target: number): Promise<void> {
    if (done < target) await new Promise<void>(resolve => waiters.push({ target, resolve }))
  }

  function stir() {
    if (staging.staged() - done >= enough || urgent > done) hurry?.()
    if (!pumping) void pump()
  }

  async function pump() {
    pumping = true
    try {
      while (done < staging.staged()) await writeSome()
    } catch (error) {
      stop(error as BeckonError)
    } finally {
      pumping = false
    }
  }

  async function writeSome() {
    await wait()
    const batch = staging.take()
    if (!batch) return
    lastWrite = performance.now()
    await files.write(batch)
    staging.reuse()
    pass(done + batch.bytes)
  }

  /** What arrives meanwhile, and in this turn of the event loop, shares a write. */
  async function wait() {
    const left = lastWrite + pace - performance.now()
    if (left <= 0 || urgent > done || staging.staged() - done >= enough) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, left)
      hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    hurry = null
  }

  function pass(until: number) {
    done = until
    for (const waiter of waiters.splice(0)) {
      if (waiter.target <= done) waiter.resolve()
      else waiters.push(waiter)
    }
  }

  function stop(reason: BeckonError) {
    fault = reason
    pass(staging.staged())
    tryLater(reason)
    onStopped?.(reason)
  }

  function tryLater(reason: BeckonError) {
    // Not a reason to keep a process alive that has nothing else to do.
    retry = setTimeout(() => resume(reason), retryAfter).unref()
  }

  function resume(reason: BeckonError): Promise<void> {
    resuming ??= tryToResume(reason).finally(() => {
      resuming = null
    })
    return resuming
  }

  async function tryToResume(reason: BeckonError) {
    try {
      const end = await files.recover()
      await files.tryRoom()
      const missing = staging.offset() - end.offset
      staging.restart(end)
      fault = null
      noteNow(`${missing} bytes of output were not recorded. ${reason.message}.`, 'note')
      onResumed?.(missing)
    } catch {
      if (!closing) tryLater(reason)
    }
  }
}
