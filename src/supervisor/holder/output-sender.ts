import type { Socket } from 'node:net'
import { type Output, outputFrameHead } from './frames.ts'

/** Sends output to the supervisor. What arrives in one turn of the event loop shares a frame, and nothing is copied. */
export class OutputSender {
  readonly #supervisor: () => Socket | null
  #waiting: Output[] = []

  constructor(supervisor: () => Socket | null) {
    this.#supervisor = supervisor
  }

  add(piece: Output): void {
    if (this.#waiting.length > 0 && this.#waiting[0]?.stream !== piece.stream) this.flush()
    if (this.#waiting.push(piece) === 1) setImmediate(() => this.flush())
  }

  /** Call this before any other frame is sent, so that it comes after the output before it. */
  flush(): void {
    const pieces = this.#waiting
    this.#waiting = []
    const socket = this.#supervisor()
    if (socket) sendOutput(socket, pieces)
  }

  /** Drops what waits: the next supervisor gets it with all that is not stored. */
  clear(): void {
    this.#waiting = []
  }
}

/** Sends pieces of one stream that follow each other as one frame. */
export function sendOutput(socket: Socket, pieces: readonly Output[]): void {
  const [first] = pieces
  if (!first) return
  const length = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  socket.cork()
  socket.write(outputFrameHead(first, length))
  for (const { bytes } of pieces) socket.write(bytes)
  socket.uncork()
}
