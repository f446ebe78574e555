import type { Output, Stream } from './frames.ts'

/** Memory for output, and the offset after the last of it. */
interface Slab {
  memory: Buffer
  filled: number
  end: number
}

const slabBytes = 256 * 1_024
const maxSpare = 16

/**
 * Output that no supervisor has stored yet. It stays here until one says so: a supervisor may die in the middle of a
 * question. The holder reads no more from the agent than fits, so an agent without a supervisor waits and loses nothing.
 *
 * It is copied into memory that is used again and again. Otherwise each read would leave a buffer that lived long enough
 * to wait for a full garbage collection, and a process that allocates little else has none.
 */
export class BufferedOutput {
  readonly #capacity: number
  #pieces: Output[] = []
  #slabs: Slab[] = []
  #spare: Buffer[] = []
  #end = 0
  #size = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** The offset of the first byte in the buffer. */
  get from(): number {
    return this.#pieces[0]?.offset ?? this.#end
  }

  /** The offset of what comes next. */
  get end(): number {
    return this.#end
  }

  get isFull(): boolean {
    return this.#size >= this.#capacity
  }

  /** Returns the pieces that it became. */
  add(stream: Stream, bytes: Buffer): Output[] {
    const added: Output[] = []
    for (let done = 0; done < bytes.length; ) {
      const slab = this.#slabWithRoom()
      const start = slab.filled
      const count = bytes.copy(slab.memory, start, done)
      added.push({ stream, offset: this.#end, bytes: slab.memory.subarray(start, start + count) })
      this.#end += count
      slab.filled += count
      slab.end = this.#end
      done += count
    }
    this.#pieces.push(...added)
    this.#size += bytes.length
    return added
  }

  /** Everything from this offset on; the first piece may be cut. */
  since(offset: number): Output[] {
    return this.#pieces.flatMap(piece => {
      const skip = offset - piece.offset
      if (skip >= piece.bytes.length) return []
      return skip <= 0 ? [piece] : [{ ...piece, offset, bytes: piece.bytes.subarray(skip) }]
    })
  }

  /** A supervisor has stored everything before this offset, so nobody will send or read it any more. */
  release(offset: number): void {
    this.#pieces = this.since(offset)
    this.#size = this.#end - this.from
    const inUse = this.#slabs.findIndex(slab => slab.end > this.from || slab.filled < slabBytes)
    const free = this.#slabs.splice(0, inUse < 0 ? this.#slabs.length : inUse)
    for (const { memory } of free) if (this.#spare.length < maxSpare) this.#spare.push(memory)
  }

  #slabWithRoom(): Slab {
    const last = this.#slabs.at(-1)
    if (last && last.filled < slabBytes) return last
    const memory = this.#spare.pop() ?? Buffer.allocUnsafeSlow(slabBytes)
    const slab = { memory, filled: 0, end: this.#end }
    this.#slabs.push(slab)
    return slab
  }
}
