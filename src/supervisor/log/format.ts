import { crc32 } from 'node:zlib'

/*
 * The log of a run is a folder of segments, 00000001.log and so on, each a sequence of 64 KiB blocks. A block holds
 * whole records, padded with zeros at its end. So a reader can begin at any block: it bisects to find an offset or a
 * time, goes backwards for the last lines, and loses only one block to damage. A record is
 *
 *   checksum of the rest (4) | kind (1) | length (3) | time, ms (8) | offset (8) | bytes
 *
 * with numbers in little endian. The offset counts the agent's output since the run began, both streams together, as
 * recorded; notes do not count. It also counts output that is not recorded: where the next record has a higher offset
 * than expected, the bytes between are missing.
 *
 * Only the end of the last segment is ever written. Bytes there that make no whole record are an interrupted write;
 * readers wait for the rest, and the next writer removes them.
 */
export const blockBytes = 65_536
export const headerBytes = 24

export type LogStream = 'out' | 'err' | 'in' | 'note'

/**
 * `end` says that nothing more comes, and `begin` that more came after all. A `reply` is a note with the id of its request
 * on a line before it, so that another supervisor can tell whether the log has it. A new format needs new numbers, so that
 * neither is misread.
 */
const kinds = { out: 0x11, err: 0x12, in: 0x13, note: 0x14, end: 0x15, begin: 0x16, reply: 0x17 } as const
export type RecordKind = keyof typeof kinds
const names = new Map(Object.entries(kinds).map(([name, kind]) => [kind as number, name as RecordKind]))

export interface StoredRecord {
  kind: RecordKind
  time: number
  offset: number
  bytes: Buffer
  /** Its position in the bytes that were read. */
  at: number
}

/** Writes the header before the record's bytes, which are in place already. */
export function writeHeader(block: Buffer, at: number, end: number, record: Omit<StoredRecord, 'bytes' | 'at'>): void {
  block.writeUInt8(kinds[record.kind], at + 4)
  block.writeUIntLE(end - at - headerBytes, at + 5, 3)
  block.writeDoubleLE(record.time, at + 8)
  block.writeDoubleLE(record.offset, at + 16)
  block.writeUInt32LE(crc32(block.subarray(at + 4, end)), at)
}

/** The whole records in a block, or in the rest of one from a record on, and where they end. */
export function readRecords(block: Buffer): { records: StoredRecord[]; end: number } {
  const records: StoredRecord[] = []
  let at = 0
  for (let record = readRecord(block, at); record; record = readRecord(block, at)) {
    records.push(record)
    at += headerBytes + record.bytes.length
  }
  return { records, end: at }
}

function readRecord(block: Buffer, at: number): StoredRecord | null {
  if (at + headerBytes > block.length) return null
  const kind = names.get(block.readUInt8(at + 4))
  const end = at + headerBytes + block.readUIntLE(at + 5, 3)
  if (!kind || end > block.length || crc32(block.subarray(at + 4, end)) !== block.readUInt32LE(at)) return null
  const bytes = block.subarray(at + headerBytes, end)
  return { kind, time: block.readDoubleLE(at + 8), offset: block.readDoubleLE(at + 16), bytes, at }
}

/** The offset of the output after a record. */
export function offsetAfter({ kind, offset, bytes }: StoredRecord): number {
  return kind === 'out' || kind === 'err' ? offset + bytes.length : offset
}

/** The stream of a record as readers see it; null for a record that they do not see. */
export function streamOf({ kind }: Pick<StoredRecord, 'kind'>): LogStream | null {
  if (kind === 'begin' || kind === 'end') return null
  return kind === 'reply' ? 'note' : kind
}

export function joinReply(request: string, text: string): string {
  return `${request}\n${text}`
}

/** The request that a reply belongs to, and its text. */
export function splitReply(bytes: Buffer): { request: string; text: Buffer } {
  const end = bytes.indexOf(0x0a)
  return { request: bytes.toString('utf8', 0, end), text: bytes.subarray(end + 1) }
}
