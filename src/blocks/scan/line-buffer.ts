/** The bytes of a line that has not ended yet. Grows by doubling, so that single bytes cost no more than chunks. */
export interface Held {
  readonly length: number
  append(bytes: Buffer): void
  view(): Buffer
  clear(): void
}

const small = 1_024
/** What was larger once is let go. */
const kept = 1_024 * 1_024

export function createHeld(): Held {
  let room = Buffer.allocUnsafe(small)
  let length = 0
  return {
    get length() {
      return length
    },
    append(bytes) {
      const needed = length + bytes.length
      if (needed > room.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, room.length * 2))
        room.copy(larger, 0, 0, length)
        room = larger
      }
      bytes.copy(room, length)
      length = needed
    },
    view: () => room.subarray(0, length),
    clear() {
      length = 0
      if (room.length > kept) room = Buffer.allocUnsafe(small)
    },
  }
}
