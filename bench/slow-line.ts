import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Line {
  /** Its own port: whoever connects here reaches the server over the line. */
  readonly port: number
  /** What was sent over the line, by path. */
  readonly sent: ReadonlyMap<string, number>
  close(): Promise<void>
}

interface LineOptions {
  /** From a request to the first byte of its answer, and to open a connection. */
  readonly roundTrip: number
  /** To the browser, for all connections together. */
  readonly bytesPerSecond: number
}

interface Packet {
  readonly browser: Socket
  readonly bytes: Buffer
  readonly path: string
}

const packetSize = 1_448

/**
 * A slow line to a server, as a proxy: a browser's own throttle leaves out what its service worker loads, and opens
 * connections in no time.
 */
export async function openSlowLine(server: string, { roundTrip, bytesPerSecond }: LineOptions): Promise<Line> {
  const { hostname, port } = new URL(server)
  const sent = new Map<string, number>()
  const waiting = new Map<Socket, Packet[]>()
  const sockets = new Set<Socket>()
  let freeFrom = 0
  let timer: NodeJS.Timeout | undefined
  const listener = createServer({ noDelay: true }, accept).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return { port: (listener.address() as AddressInfo).port, sent, close }

  function accept(browser: Socket): void {
    const openFrom = performance.now() + roundTrip
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true })
    let path = ''
    for (const socket of [browser, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        browser.destroy()
        upstream.destroy()
      })
    }
    browser.on('data', bytes => {
      // One request at a time: what comes back belongs to the last one.
      path = /^\w+ (\S+) HTTP/.exec(bytes.toString('latin1'))?.[1] ?? path
      const late = Math.max(0, openFrom - performance.now())
      setTimeout(() => upstream.writable && upstream.write(bytes), late + roundTrip)
    })
    upstream.on('data', bytes => {
      const packets = waiting.get(browser) ?? []
      for (let at = 0; at < bytes.length; at += packetSize) {
        packets.push({ browser, bytes: bytes.subarray(at, at + packetSize), path })
      }
      waiting.set(browser, packets)
      send()
    })
  }

  /** Whatever the line has had time for. */
  function send(): void {
    clearTimeout(timer)
    const now = performance.now()
    freeFrom = Math.max(freeFrom, now - 1)
    while (freeFrom <= now && waiting.size > 0) {
      const { browser, bytes, path } = takeNext()
      freeFrom += (bytes.length / bytesPerSecond) * 1_000
      sent.set(path, (sent.get(path) ?? 0) + bytes.length)
      if (browser.writable) browser.write(bytes)
    }
    if (waiting.size > 0) timer = setTimeout(send, Math.max(1, freeFrom - now))
  }

  /** Connections take turns, packet by packet. */
  function takeNext(): Packet {
    const [browser, packets] = waiting.entries().next().value as [Socket, Packet[]]
    const next = packets.shift() as Packet
    waiting.delete(browser)
    if (packets.length > 0) waiting.set(browser, packets)
    return next
  }

  async function close(): Promise<void> {
    clearTimeout(timer)
    listener.close()
    for (const socket of sockets) socket.destroy()
    await once(listener, 'close')
  }
}
