import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

// How long to wait for an agent that does not read, at first and at most.
const firstPause = 1
const longestPause = 20
// The newline is for a reader that already waits: it had no line to wait for, and would not take an end for one.
const endOfInput = Buffer.from('\n\x04')

/**
 * What is written into a terminal from its outer end. By hand, because a stream there writes without letting anything
 * else happen until all is read: an agent that is stopped would stop its holder. The descriptor does not block.
 */
export class TerminalInput {
  readonly #fd: number
  #last: Promise<unknown> = Promise.resolve()
  #ended = false
  #closed = false

  constructor(fd: number) {
    this.#fd = fd
  }

  write(bytes: Buffer, done: (error?: Error | null) => void): void {
    if (this.#ended) done(readsNoMore())
    else this.#last = this.#last.then(() => this.#writeAll(bytes)).then(() => done(null), done)
  }

  /** After what was written: `prepare`, and the sign for the end. */
  end(prepare: () => Promise<unknown>): void {
    if (this.#ended) return
    this.#ended = true
    this.#last = this.#last
      .then(prepare)
      .then(() => this.#writeAll(endOfInput))
      .catch(() => {})
  }

  /** From here on the descriptor may be somebody else's. */
  close(): void {
    this.#ended = true
    this.#closed = true
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    let pause = firstPause
    for (let rest = bytes; rest.length > 0; ) {
      if (this.#closed) throw readsNoMore()
      const count = writeSome(this.#fd, rest)
      rest = rest.subarray(count)
      pause = count > 0 ? firstPause : Math.min(2 * pause, longestPause)
      if (rest.length > 0) await sleep(pause)
    }
  }
}

export function readsNoMore(): Error {
  return new Error('The agent does not read any more.')
}

function writeSome(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw readsNoMore()
  }
}
