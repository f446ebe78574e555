import { connect, type Socket } from 'node:net'

/** A connection to a holder. */
export interface OpenSocket {
  socket: Socket
  /** Passes on what comes, from the beginning. The reader can keep the bytes. */
  read(reader: (bytes: Buffer) => void): void
}

// A flood is read in pieces of up to this size, because each piece costs much the same, however large it is.
const bufferBytes = 256 * 1_024
// Less than this is copied, so that a trickle does not take a whole buffer for each of its lines.
const copiedBytes = 32 * 1_024

export function openSocket(path: string): Promise<OpenSocket> {
  const early: Buffer[] = []
  let pass: (bytes: Buffer) => void = bytes => early.push(bytes)
  let buffer = Buffer.allocUnsafeSlow(bufferBytes)
  const socket = connect({ path, onread: { buffer: () => buffer, callback: onRead } })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve({ socket, read })
    })
  })

  function onRead(count: number): boolean {
    const bytes = buffer.subarray(0, count)
    if (count >= copiedBytes) buffer = Buffer.allocUnsafeSlow(bufferBytes)
    pass(count >= copiedBytes ? bytes : Buffer.from(bytes))
    return true
  }

  function read(reader: (bytes: Buffer) => void) {
    pass = reader
    for (const bytes of early.splice(0)) reader(bytes)
  }
}
