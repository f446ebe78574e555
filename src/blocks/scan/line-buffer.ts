/** The bytes of a line that has not ended yet. Doubles in size as it grows, so that appending single bytes is cheap. */
export interface LineBuffer {
  readonly length: number
  append(bytes: Buffer, from?: number, to?: number): void
  view(): Buffer
  toString(encoding: 'utf8' | 'latin1'): string
  clear(): void
}

const initialBytes = 1_024
/** A larger buffer is released after use. */
const mostKeptBytes = 1_024 * 1_024

export function createLineBuffer(): LineBuffer {
  let memory = Buffer.allocUnsafe(initialBytes)
  let length = 0
  return {
    get length() {
      return length
    },
    append(bytes, from = 0, to = bytes.length) {
      const needed = length + to - from
      if (needed > memory.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, memory.length * 2))
        memory.copy(larger, 0, 0, length)
        memory = larger
      }
      bytes.copy(memory, length, from, to)
      length = needed
    },
    view: () => memory.subarray(0, length),
    toString: encoding => memory.toString(encoding, 0, length),
    clear() {
      length = 0
      if (memory.length > mostKeptBytes) memory = Buffer.allocUnsafe(initialBytes)
    },
  }
}
