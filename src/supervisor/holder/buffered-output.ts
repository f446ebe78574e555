import type { Output, Stream } from './frames.ts'

/**
 * Output that nobody has taken yet. It is kept until a supervisor says that it is safe, so that one can die with half a
 * question in its hands; and no more is read from the agent than fits, so that an agent without a supervisor waits
 * instead of being lost.
 */
export class BufferedOutput {
  readonly #room: number
  #pieces: Output[] = []
  #end = 0
  #size = 0

  constructor(room: number) {
    this.#room = room
  }

  /** Offset of the first byte that is still here. */
  get from(): number {
    return this.#pieces[0]?.offset ?? this.#end
  }

  get isFull(): boolean {
    return this.#size >= this.#room
  }

  add(stream: Stream, bytes: Buffer): Output {
    const piece = { stream, offset: this.#end, bytes }
    this.#pieces.push(piece)
    this.#end += bytes.length
    this.#size += bytes.length
    return piece
  }

  /** Everything from this offset on; a piece that was taken in part is given in part. */
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
