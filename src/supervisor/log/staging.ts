import { blockBytes, headerBytes, type RecordKind, writeHeader } from './format.ts'

/** Bytes for one position in one segment. */
export interface Batch {
  segment: number
  position: number
  buffers: Buffer[]
  bytes: number
}

interface StagedBlock {
  segment: number
  start: number
  buffer: Buffer
  /** Bytes before `taken` were handed out for writing; bytes before `filled` are records. */
  taken: number
  filled: number
}

interface OpenRecord {
  kind: RecordKind
  time: number
  offset: number
  at: number
}

// Output that a program prints letter by letter becomes one record, if it comes within this many milliseconds.
const mergeWithin = 10
// Blocks are reused, up to as many as wait under load.
const maxSpare = 64

/** The part of a log that is still in memory: blocks as they will be written, filled record by record. */
export function createStaging(end: { segment: number; position: number; offset: number }, segmentBytes: number) {
  const spare: Buffer[] = []
  let { offset } = end
  let block = blockAt(end.segment, end.position)
  let blocks = [block]
  let open: OpenRecord | null = null
  let lastTime = 0
  let staged = 0
  return {
    append,
    appendWhole,
    take,
    reuse,
    restart,
    skip,
    offset: () => offset,
    /** How many bytes were ever staged for the files. */
    staged: () => staged,
  }

  /** Appends output, over as many records as it takes. */
  function append(kind: 'out' | 'err', bytes: Buffer, now: number) {
    for (let done = 0; done < bytes.length; ) {
      if (!canMerge(kind, now)) begin(kind, now, 1)
      const count = bytes.copy(block.buffer, block.filled, done)
      grow(count)
      offset += count
      done += count
    }
  }

  /** Appends a record that is never split; it must fit into a block. */
  function appendWhole(kind: RecordKind, bytes: Buffer, now: number) {
    begin(kind, now, bytes.length)
    bytes.copy(block.buffer, block.filled)
    grow(bytes.length)
  }

  /** Counts output that is not recorded. */
  function skip(count: number) {
    offset += count
  }

  function canMerge(kind: RecordKind, now: number): boolean {
    return open !== null && open.kind === kind && now - open.time < mergeWithin && block.filled < blockBytes
  }

  function begin(kind: RecordKind, now: number, room: number) {
    completeRecord()
    if (blockBytes - block.filled < headerBytes + room) beginBlock()
    // Times must not decrease when the clock is set back, because readers bisect by them.
    lastTime = Math.max(lastTime, now)
    open = { kind, time: lastTime, offset, at: block.filled }
    grow(headerBytes)
  }

  function completeRecord() {
    if (open) writeHeader(block.buffer, open.at, block.filled, open)
    open = null
  }

  function beginBlock() {
    block.buffer.fill(0, block.filled)
    grow(blockBytes - block.filled)
    const next = block.start + blockBytes
    block = next < segmentBytes ? blockAt(block.segment, next) : blockAt(block.segment + 1, 0)
    blocks.push(block)
  }

  function grow(count: number) {
    block.filled += count
    staged += count
  }

  function blockAt(segment: number, position: number): StagedBlock {
    const filled = position % blockBytes
    const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(blockBytes)
    return { segment, start: position - filled, buffer, taken: filled, filled }
  }

  /** Everything that waits for the oldest segment; null when nothing waits. */
  function take(): Batch | null {
    completeRecord()
    const waiting = blocks.filter(block => block.filled > block.taken)
    const [first] = waiting
    if (!first) return null
    const chosen = waiting.filter(block => block.segment === first.segment)
    const buffers = chosen.map(block => block.buffer.subarray(block.taken, block.filled))
    const batch = { segment: first.segment, position: first.start + first.taken, buffers, bytes: 0 }
    for (const block of chosen) {
      batch.bytes += block.filled - block.taken
      block.taken = block.filled
    }
    return batch
  }

  /** Called when a batch is written. */
  function reuse() {
    for (const { buffer, taken } of blocks) if (taken === blockBytes && spare.length < maxSpare) spare.push(buffer)
    blocks = blocks.filter(block => block.taken < blockBytes)
  }

  /** Drops what waits, and continues at another position. */
  function restart(end: { segment: number; position: number }) {
    open = null
    block = blockAt(end.segment, end.position)
    blocks = [block]
  }
}
