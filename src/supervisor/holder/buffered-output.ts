import type { Output, Stream } from './frames.ts'

/**
 * Output that no supervisor has stored yet. It stays here until one says so: a supervisor may die in the middle of a
 * question. The holder reads no more from the agent than fits, so an agent without a supervisor waits and loses nothing.
 */
export class BufferedOutput {
  readonly #capacity: number
  #pieces: Output[] = []
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

  add(stream: Stream, bytes: Buffer): Output {
    const piece = { stream, offset: this.#end, bytes }
    this.#pieces.push(piece)
    this.#end += bytes.length
    this.#size += bytes.length
    return piece
  }

  /** Everything from this offset on; the first piece may be cut. */
  since(offset: number): Output[] {
    return this.#pieces.flatMap(piece => {
      const skip = offset - piece.offset
      if (skip >= piece.bytes.length) return []
      return skip <= 0 ? [piece] : [{ ...piece, offset, bytes: piece.bytes.subarray(skip) }]
    })
  }

  release(offset: number): void {
    this.#pieces = this.since(offset)
    this.#size = this.#end - this.from
  }
}
