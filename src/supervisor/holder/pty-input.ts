import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

// How long to wait for an agent that does not read, in milliseconds.
const firstPause = 1
const longestPause = 20
// The newline is for a reader that already waits without line mode, and would not see the end of input.
const endOfInput = Buffer.from('\n\x04')

/**
 * Writes to a pseudo-terminal from its outer end. Not with a stream: it would block until the agent has read everything, and
 * a stopped agent would stop its holder. The descriptor does not block.
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
    if (this.#ended) done(inputClosed())
    else this.#last = this.#last.then(() => this.#writeAll(bytes)).then(() => done(null), done)
  }

  /** After everything written so far: calls `prepare` and writes the end of input. */
  end(prepare: () => Promise<unknown>): void {
    if (this.#ended) return
    this.#ended = true
    this.#last = this.#last
      .then(prepare)
      .then(() => this.#writeAll(endOfInput))
      .catch(() => {})
  }

  /** From here on, the descriptor may belong to another file. */
  close(): void {
    this.#ended = true
    this.#closed = true
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    let pause = firstPause
    for (let rest = bytes; rest.length > 0; ) {
      if (this.#closed) throw inputClosed()
      const count = writeSome(this.#fd, rest)
      rest = rest.subarray(count)
      pause = count > 0 ? firstPause : Math.min(2 * pause, longestPause)
      if (rest.length > 0) await sleep(pause)
    }
  }
}

export function inputClosed(): Error {
  return new Error('The agent no longer reads its stdin.')
}

function writeSome(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw inputClosed()
  }
}
