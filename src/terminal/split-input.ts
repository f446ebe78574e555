import { StringDecoder } from 'node:string_decoder'

/** What a terminal sends: keys that somebody pressed, or one whole paste. */
export type Piece = { readonly keys: string } | { readonly paste: string }

const pasteBegin = '\x1b[200~'
export const pasteEnd = '\x1b[201~'

/**
 * Splits what a terminal sends into keys and pastes, however it is cut into reads: in the middle of a character, a mark
 * or a paste. A paste comes out once, when its end mark has arrived; what is in it never counts as a key.
 */
export class InputSplitter {
  readonly #decoder = new StringDecoder('utf8')
  /** The beginning of a mark that has not arrived whole. */
  #held = ''
  #paste: string[] | null = null
  #isDropping = false

  push(chunk: Buffer | string): Piece[] {
    const pieces: Piece[] = []
    let rest = this.#held + (typeof chunk === 'string' ? chunk : this.#decoder.write(chunk))
    this.#held = ''
    while (rest !== '') {
      const mark = this.#paste ? pasteEnd : pasteBegin
      const at = rest.indexOf(mark)
      if (at < 0) {
        const kept = rest.length - heldBack(rest, mark)
        this.#held = rest.slice(kept)
        this.#take(rest.slice(0, kept), pieces)
        break
      }
      this.#take(rest.slice(0, at), pieces)
      if (this.#paste && !this.#isDropping) pieces.push({ paste: this.#paste.join('') })
      this.#isDropping = false
      this.#paste = this.#paste ? null : []
      rest = rest.slice(at + mark.length)
    }
    return pieces
  }

  get isPasting(): boolean {
    return this.#paste !== null
  }

  /** Whether keys wait because they may be the beginning of a mark: an Esc, for example. */
  get isHolding(): boolean {
    return this.#held !== '' && !this.isPasting
  }

  /** The keys that waited, once it is clear that they are not a mark. */
  release(): Piece[] {
    if (!this.isHolding) return []
    const keys = this.#held
    this.#held = ''
    return [{ keys }]
  }

  /** What has arrived of a paste whose end is late. The rest still belongs to a paste. */
  takePart(): Piece[] {
    const paste = this.#paste?.join('') ?? ''
    if (this.#paste) this.#paste = []
    return paste === '' ? [] : [{ paste }]
  }

  /** Drops a paste that has begun; its rest never counts as keys. */
  dropPaste(): void {
    this.#isDropping = this.isPasting
    this.takePart()
  }

  /** Gives up waiting for the end of a paste. */
  endPaste(): void {
    this.#paste = null
    this.#isDropping = false
    this.#held = ''
  }

  #take(text: string, pieces: Piece[]) {
    if (text === '') return
    if (this.#paste) this.#isDropping || this.#paste.push(text)
    else pieces.push({ keys: text })
  }
}

/** How many characters at the end of the text may be the beginning of the mark. */
function heldBack(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length
  }
  return 0
}
