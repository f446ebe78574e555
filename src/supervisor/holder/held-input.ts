interface Piece {
  bytes: Buffer
  /** By a person, and not from a pipe or a file. */
  isTyped: boolean
}

const lineEnd = /[\r\n]/
const mostPiped = 64 * 1_024

/** What a person typed or piped and the agent has not waited for yet, in order. */
export class HeldInput {
  #pieces: Piece[] = []
  #ended = false

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && !this.#ended
  }

  /** How many bytes a person typed. */
  get typedBytes(): number {
    return this.#typed().reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /** Whether the next typed byte begins a line. */
  get isAtLineStart(): boolean {
    return lineEnd.test(this.#typed().at(-1)?.bytes.toString('latin1').at(-1) ?? '')
  }

  add(bytes: Buffer, { isTyped }: Pick<Piece, 'isTyped'>): void {
    if (!this.#ended && bytes.length > 0) this.#pieces.push({ bytes, isTyped })
  }

  end(): void {
    this.#ended = true
  }

  /**
   * Takes what an agent gets that waits with this much room. Of what was typed a line, as from a terminal: the next one may
   * be meant for something else.
   */
  take(room: number | null): Buffer | 'end' {
    const [piece] = this.#pieces
    if (!piece) {
      this.#ended = false
      return 'end'
    }
    const { bytes, isTyped } = piece
    const most = isTyped ? bytes.toString('latin1').search(lineEnd) + 1 || bytes.length : mostPiped
    const length = Math.min(most, room || bytes.length, bytes.length)
    if (length === bytes.length) this.#pieces.shift()
    else piece.bytes = bytes.subarray(length)
    return bytes.subarray(0, length)
  }

  /** Removes and returns what a person typed. */
  takeTyped(): Buffer {
    const typed = this.#typed().map(({ bytes }) => bytes)
    this.#pieces = this.#pieces.filter(({ isTyped }) => !isTyped)
    return Buffer.concat(typed)
  }

  #typed(): Piece[] {
    return this.#pieces.filter(({ isTyped }) => isTyped)
  }
}
