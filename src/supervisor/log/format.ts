import { crc32 } from 'node:zlib'

/*
 * The log of a run is a folder of segments, 00000001.log and so on, each a row of blocks of 64 KiB. A block holds
 * records one after the other, and no record reaches into the next block; what is left over at its end is zeros. So a
 * reader can begin at any block: to go to an offset or a time it bisects, for the last lines it goes backwards, and a
 * damaged block costs no other. A record is
 *
 *   checksum of the rest (4) | kind (1) | length (3) | time, ms (8) | offset (8) | bytes
 *
 * with numbers in little endian. The offset counts the agent's output, both streams together and as recorded, since the
 * run began; notes take no room in it. It goes on counting what is not recorded: where the next record has a higher
 * one than it should, the bytes between are gone.
 *
 * Only the end of the last segment is ever written. Bytes there that make no whole record are a write that was cut off;
 * readers wait for the rest, and the next writer cuts them away.
 */
export const blockBytes = 65_536
export const headerBytes = 24

export type LogStream = 'out' | 'err' | 'in' | 'note'

/** What it is called in the file; `end` says that nothing will come, and `begin` that there is more after all. A change of the format takes other numbers, so that neither is misread. */
const kinds = { out: 0x11, err: 0x12, in: 0x13, note: 0x14, end: 0x15, begin: 0x16 } as const
export type RecordKind = keyof typeof kinds
const names = new Map(Object.entries(kinds).map(([name, kind]) => [kind as number, name as RecordKind]))

export interface StoredRecord {
  kind: RecordKind
  time: number
  offset: number
  bytes: Buffer
  /** Where in the bytes that were read it begins. */
  at: number
}

/** Puts the header in front of bytes that are in their place already. */
export function sealRecord(block: Buffer, at: number, end: number, record: Omit<StoredRecord, 'bytes' | 'at'>): void {
  block.writeUInt8(kinds[record.kind], at + 4)
  block.writeUIntLE(end - at - headerBytes, at + 5, 3)
  block.writeDoubleLE(record.time, at + 8)
  block.writeDoubleLE(record.offset, at + 16)
  block.writeUInt32LE(crc32(block.subarray(at + 4, end)), at)
}

/** The whole records in a block, or in what is left of one from a record on, and where they end. */
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

/** Where the output is after a record. */
export function offsetAfter({ kind, offset, bytes }: StoredRecord): number {
  return kind === 'out' || kind === 'err' ? offset + bytes.length : offset
}
