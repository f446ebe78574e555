import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** The server's end of a WebSocket (RFC 6455), with text frames of up to 64 KiB. */
export interface ServerSocket {
  send(message: object): void
  onMessage: (text: string) => void
  onClose: () => void
  close(): void
  /** As when the network is cut. */
  destroy(): void
  /** From now on it reads nothing, as a machine that vanished without a word. */
  freeze(): void
}

export function acceptWebSocket(request: IncomingMessage, stream: Duplex): ServerSocket {
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
  const accept = createHash('sha1').update(key).digest('base64')
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  )
  let rest = Buffer.alloc(0)
  const socket: ServerSocket = {
    send: message => void stream.write(frame(1, Buffer.from(JSON.stringify(message)))),
    onMessage: () => {},
    onClose: () => {},
    close: () => void stream.write(frame(8, Buffer.from([0x03, 0xe8]))),
    destroy: () => void stream.destroy(),
    freeze: () => void stream.removeAllListeners('data').pause(),
  }
  stream.on('error', () => {})
  stream.on('close', () => socket.onClose())
  stream.on('data', chunk => {
    rest = Buffer.concat([rest, chunk])
    for (let found = readFrame(rest); found; found = readFrame(rest)) {
      rest = rest.subarray(found.end)
      if (found.opcode === 1) socket.onMessage(found.payload.toString())
      if (found.opcode === 8) stream.end(frame(8, found.payload))
    }
  })
  return socket
}

function frame(opcode: number, payload: Buffer): Buffer {
  const length =
    payload.length < 126 ? Buffer.of(payload.length) : Buffer.of(126, payload.length >> 8, payload.length & 255)
  return Buffer.concat([Buffer.of(0x80 | opcode), length, payload])
}

/** Frames of a client are masked. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; end: number } | null {
  if (bytes.length < 2) return null
  const short = (bytes[1] as number) & 127
  const start = short === 126 ? 4 : 2
  if (bytes.length < start + 4) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short
  const end = start + 4 + length
  if (bytes.length < end) return null
  const mask = bytes.subarray(start, start + 4)
  const payload = Buffer.from(bytes.subarray(start + 4, end)).map((byte, i) => byte ^ (mask[i % 4] as number))
  return { opcode: (bytes[0] as number) & 15, payload: Buffer.from(payload), end }
}
