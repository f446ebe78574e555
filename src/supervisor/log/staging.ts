import { blockBytes, headerBytes, type RecordKind, sealRecord } from './format.ts'

/** Bytes for one place in one segment. */
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
  /** Before this it was given away to be written; before `filled` there are records. */
  taken: number
  filled: number
}

interface OpenRecord {
  kind: RecordKind
  time: number
  offset: number
  at: number
}

// What a program prints letter by letter becomes one record, as long as nobody could see the difference.
const together = 10
// Blocks are used again, up to as many as wait under load.
const maxSpare = 64

/** The part of a log that is still in memory: blocks as they will be in the files, filled record by record. */
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
    pass,
    offset: () => offset,
    /** How many bytes for the files there have ever been. */
    staged: () => staged,
  }

  /** Output; over as many records as it takes. */
  function append(kind: 'out' | 'err', bytes: Buffer, now: number) {
    for (let done = 0; done < bytes.length; ) {
      if (!goesOn(kind, now)) begin(kind, now, 1)
      const count = bytes.copy(block.buffer, block.filled, done)
      grow(count)
      offset += count
      done += count
    }
  }

  /** A record that is never split; it has to fit into a block. */
  function appendWhole(kind: RecordKind, bytes: Buffer, now: number) {
    begin(kind, now, bytes.length)
    bytes.copy(block.buffer, block.filled)
    grow(bytes.length)
  }

  /** Output that is not recorded. */
  function pass(count: number) {
    offset += count
  }

  function goesOn(kind: RecordKind, now: number): boolean {
    return open !== null && open.kind === kind && now - open.time < together && block.filled < blockBytes
  }

  function begin(kind: RecordKind, now: number, room: number) {
    seal()
    if (blockBytes - block.filled < headerBytes + room) beginBlock()
    // A clock that is set back must not spoil the order by which times are found.
    lastTime = Math.max(lastTime, now)
    open = { kind, time: lastTime, offset, at: block.filled }
    grow(headerBytes)
  }

  function seal() {
    if (open) sealRecord(block.buffer, open.at, block.filled, open)
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

  /** All that waits for one segment, the oldest; null when nothing waits. */
  function take(): Batch | null {
    seal()
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

  /** Once a batch is written. */
  function reuse() {
    for (const { buffer, taken } of blocks) if (taken === blockBytes && spare.length < maxSpare) spare.push(buffer)
    blocks = blocks.filter(block => block.taken < blockBytes)
  }

  /** Forgets what waits, and goes on at another place. */
  function restart(end: { segment: number; position: number }) {
    open = null
    block = blockAt(end.segment, end.position)
    blocks = [block]
  }
}
