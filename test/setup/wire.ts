import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Answered {
  status: number
  body: string
}

/** A keep-alive connection for one call after the other, as plain bytes to keep the client's overhead small. */
export interface Wire {
  call(method: string, path: string, token: string, body?: object): Promise<Answered>
  /** Sends a call without waiting for its answer. */
  send(method: string, path: string, token: string, headers?: string): void
  socket: Socket
  close(): void
}

export async function openWire(port: number): Promise<Wire> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let received = ''
  let waiting: ((answer: Answered) => void) | null = null
  let isReading = false
  return { call, send, socket, close: () => socket.destroy() }

  function call(method: string, path: string, token: string, body?: object): Promise<Answered> {
    if (!isReading) socket.on('data', take)
    isReading = true
    const content = body === undefined ? '' : JSON.stringify(body)
    const type = body === undefined ? '' : 'content-type: application/json\r\n'
    const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(content)}\r\n`
    socket.write(`${head(method, path, token)}${type}${length}\r\n${content}`)
    return new Promise(resolve => {
      waiting = resolve
    })
  }

  function send(method: string, path: string, token: string, headers = '') {
    socket.write(`${head(method, path, token)}${headers}\r\n`)
  }

  function head(method: string, path: string, token: string) {
    return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n`
  }

  function take(bytes: Buffer) {
    received += bytes.toString('latin1')
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/content-length: (\d+)/i.exec(received.slice(0, end))?.[1] ?? 0)
    if (received.length < end + 4 + length) return
    const answer = { status: Number(received.slice(9, 12)), body: received.slice(end + 4, end + 4 + length) }
    received = received.slice(end + 4 + length)
    waiting?.(answer)
  }
}
