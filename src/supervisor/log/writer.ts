import { BeckonError } from '../../protocol/errors.ts'
import { createRedactor } from '../../secrets/redact.ts'
import { createLogFiles } from './files.ts'
import { isReplyLogged } from './find-reply.ts'
import { blockBytes, joinReply, type RecordKind } from './format.ts'
import { createStaging } from './staging.ts'

export interface LogWriterOptions {
  /** Never recorded; `addSecret` adds more. */
  secrets?: Iterable<string>
  /** The most bytes on the disk; beyond it the oldest segments are removed. Default: 1 GiB. */
  maxBytes?: number
  /** Default: 16 MiB. */
  segmentBytes?: number
  /** Called when recording stops for this reason; the run goes on, and so do the attempts. */
  onStopped?: (reason: BeckonError) => void
  /** Called when recording resumes, with the bytes of output that are missing. */
  onResumed?: (missing: number) => void
  clock?: () => number
}

export interface LogWriter {
  /** Copies the bytes. False when much is waiting for the disk; then `drained` resolves when to continue. */
  write(stream: 'out' | 'err', bytes: Uint8Array): boolean
  drained(): Promise<void>
  /** Adds a line of ours to the output; `in` for what the agent was given. */
  note(text: string, stream?: 'note' | 'in'): void
  /** Notes what the agent was given for a request, once, and resolves when that is in the file. */
  reply(request: string, text: string, options: { mayBeLogged: boolean }): Promise<void>
  addSecret(secret: string): void
  /** The text without the secrets. */
  redact(text: string): string
  /** How much output there was so far: the offset of the next byte. */
  position(): number
  /** Resolves when everything written before is in the file, except the beginning of what may be a secret. */
  flush(): Promise<void>
  /** Without `final`, followers keep waiting: the run sleeps, or another supervisor takes over. */
  close(options?: { final?: boolean }): Promise<void>
}

const mebibyte = 1_048_576
// A trickle is written at this interval; the first bytes after a silence are written at once.
const writeEvery = 50
// This much is written without waiting for the interval. Beyond the second limit, the agent waits for the disk.
const writeBytes = 262_144
const highWaterMark = 4 * writeBytes
const retryAfter = 1_000
const maxNote = 4_000

/**
 * Appends to the log of a run, with secrets redacted. A full or failing disk never stops the run: what cannot be recorded is
 * counted and skipped, and once there is space again, a note says how much is missing.
 */
export async function openLogWriter(folder: string, options: LogWriterOptions = {}): Promise<LogWriter> {
  const { segmentBytes = 16 * mebibyte, maxBytes = 1_024 * mebibyte, clock = Date.now, onStopped, onResumed } = options
  const files = createLogFiles(folder, { segmentBytes: Math.max(segmentBytes, blockBytes), maxBytes })
  const end = await files.recover()
  const staging = createStaging(end, segmentBytes)
  // One per stream, because a secret may be arriving on both. A secret split between them is not found.
  const redactors = { out: createRedactor(), err: createRedactor(), note: createRedactor() }
  const waiters: { target: number; resolve: () => void }[] = []
  let written = 0
  let urgent = 0
  let lastWrite = Number.NEGATIVE_INFINITY
  let skipWait: (() => void) | null = null
  let writing = false
  let failure: BeckonError | null = null
  let retry: NodeJS.Timeout | undefined
  let resuming: Promise<void> | null = null
  let closing: Promise<void> | null = null
  for (const secret of options.secrets ?? []) addSecret(secret)
  if (end.closed) append('begin')

  return { write, drained, note, reply, addSecret, redact, position: staging.offset, flush, close }

  function write(stream: 'out' | 'err', bytes: Uint8Array): boolean {
    refuseClosed()
    record(stream, redactors[stream].push(bytes))
    return staging.staged() - written <= highWaterMark
  }

  function drained(): Promise<void> {
    return reached(staging.staged() - highWaterMark / 2)
  }

  function note(text: string, stream: 'note' | 'in' = 'note') {
    refuseClosed()
    noteNow(text, stream)
  }

  async function reply(request: string, text: string, { mayBeLogged }: { mayBeLogged: boolean }): Promise<void> {
    refuseClosed()
    if (failure || (mayBeLogged && (await isReplyLogged(folder, request)))) return
    append('reply', joinReply(request, shortNote(redact(text))))
    await flush()
  }

  function noteNow(text: string, stream: 'note' | 'in') {
    const redacted = redact(text)
    if (failure || redacted === '') return
    append(stream, shortNote(redacted))
  }

  function redact(text: string): string {
    return Buffer.concat([redactors.note.push(Buffer.from(text)), redactors.note.end()]).toString()
  }

  function addSecret(secret: string) {
    for (const redactor of Object.values(redactors)) redactor.add(secret)
  }

  function flush(): Promise<void> {
    urgent = staging.staged()
    writeSoon()
    return reached(urgent)
  }

  function close({ final = true } = {}): Promise<void> {
    closing ??= finish(final)
    return closing
  }

  async function finish(final: boolean) {
    for (const stream of ['out', 'err'] as const) record(stream, redactors[stream].end())
    clearTimeout(retry)
    if (failure) await resume(failure)
    if (final && !failure) append('end')
    await flush()
    clearTimeout(retry)
    await files.close().catch(error => onStopped?.(error))
  }

  function record(stream: 'out' | 'err', bytes: Buffer) {
    if (bytes.length === 0) return
    if (failure) return staging.skip(bytes.length)
    staging.append(stream, bytes, clock())
    writeSoon()
  }

  function append(kind: RecordKind, text = '') {
    staging.appendWhole(kind, Buffer.from(text), clock())
    writeSoon()
  }

  function refuseClosed() {
    if (closing) throw new BeckonError('closed', 'The log was closed.')
  }

  /** Resolves once this many bytes are written or dropped. */
  async function reached(target: number): Promise<void> {
    if (written < target) await new Promise<void>(resolve => waiters.push({ target, resolve }))
  }

  function writeSoon() {
    if (staging.staged() - written >= writeBytes || urgent > written) skipWait?.()
    if (!writing) void writeAll()
  }

  async function writeAll() {
    writing = true
    try {
      while (written < staging.staged()) await writeSome()
    } catch (error) {
      stop(error as BeckonError)
    } finally {
      writing = false
    }
  }

  async function writeSome() {
    await wait()
    const batch = staging.take()
    if (!batch) return
    lastWrite = performance.now()
    await files.write(batch)
    staging.reuse()
    advance(written + batch.bytes)
  }

  /** What arrives meanwhile, and in this turn of the event loop, shares one write. */
  async function wait() {
    const left = lastWrite + writeEvery - performance.now()
    if (left <= 0 || urgent > written || staging.staged() - written >= writeBytes) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, left)
      skipWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    skipWait = null
  }

  function advance(until: number) {
    written = until
    for (const waiter of waiters.splice(0)) {
      if (waiter.target <= written) waiter.resolve()
      else waiters.push(waiter)
    }
  }

  function stop(reason: BeckonError) {
    failure = reason
    advance(staging.staged())
    retryLater(reason)
    onStopped?.(reason)
  }

  function retryLater(reason: BeckonError) {
    // `unref`: this must not keep a process alive that has nothing else to do.
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
      await files.checkSpace()
      const missing = staging.offset() - end.offset
      staging.restart(end)
      failure = null
      noteNow(`${missing} bytes of output were not recorded. ${reason.message}.`, 'note')
      onResumed?.(missing)
    } catch {
      if (!closing) retryLater(reason)
    }
  }
}

function shortNote(text: string): string {
  return text.length > maxNote ? `${text.slice(0, maxNote).toWellFormed()}…` : text
}
