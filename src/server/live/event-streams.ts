import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { BeckonError, type HubApi, isForPeople } from '../../protocol/index.ts'
import type { Visitor } from '../access/callers.ts'
import { FedEvent, type Feed } from './event-feed.ts'

interface Stream {
  visitor: Visitor
  response: ServerResponse
  /** Written to directly: what goes to a thousand streams is put into its frame once. */
  socket: Socket
  /** The last event that was written, or passed over. */
  position: number
  /** Behind the others: it catches up by its cursor. */
  behind: boolean
  catching: boolean
  /** Since when its reader takes nothing. */
  stuckSince: number | null
}

export interface Streams {
  /** Goes on after the cursor; from now on, where there is none. */
  open(visitor: Visitor, response: ServerResponse, since: number | null): Promise<void>
  count(): number
  /** Bytes that were written and not taken yet by those who read. */
  buffered(): number
  end(visitor: Visitor): void
  close(): void
}

const patience = 30_000
const page = 100
const pageBytes = 256 * 1024
const heartbeat = framed([Buffer.from(':\n\n')])

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // A proxy that collects would hold events back.
  'x-accel-buffering': 'no',
}

/**
 * Every open stream of events. What is new is written to all of them as the same bytes. Whoever does not keep up is
 * left where it is, and goes on from there by its cursor once it reads again; nothing is piled up for it, and if it
 * does not read at all it is cut off, and comes back by its last id.
 */
export function createStreams(hub: Pick<HubApi, 'events'>, feed: Feed, heartbeatEvery: number): Streams {
  const streams = new Set<Stream>()
  const bySource = new WeakMap<ServerResponse | Socket, Stream>()
  let closed = false
  const timer = setInterval(beat, heartbeatEvery)
  timer.unref()
  // A moment later: a thousand streams take a while to write to, and those who wait for an answer come first.
  feed.listen(events => setImmediate(tellAll, events))
  return { open, count: () => streams.size, buffered, end, close }

  async function open(visitor: Visitor, response: ServerResponse, since: number | null) {
    await feed.ready()
    if (closed) throw new BeckonError('closed', 'The server is being stopped. Try again.')
    const { socket } = response
    if (!socket || response.destroyed || visitor.ended) return void response.destroy()
    response.writeHead(200, headers)
    response.flushHeaders()
    const stream: Stream = {
      visitor,
      response,
      socket,
      position: since ?? feed.last(),
      behind: true,
      catching: false,
      stuckSince: null,
    }
    streams.add(stream)
    feed.keep(true)
    visitor.open += 1
    bySource.set(response, stream)
    bySource.set(socket, stream)
    response.on('error', ignore)
    response.on('close', gone)
    socket.on('drain', goOn)
    write(stream, framed([Buffer.from(`retry: 1000\n: ${stream.position}\n\n`)]))
    await catchUp(stream)
  }

  // One function for all streams: a closure for each is memory for each.
  function gone(this: ServerResponse) {
    const stream = bySource.get(this)
    if (!stream) return
    streams.delete(stream)
    // The connection may live on, and carry another.
    stream.socket.off('drain', goOn)
    feed.keep(streams.size > 0)
    stream.visitor.open -= 1
  }

  function goOn(this: Socket) {
    const stream = bySource.get(this)
    if (!stream) return
    stream.stuckSince = null
    catchUp(stream)
  }

  function tellAll(events: readonly FedEvent[]) {
    const first = events[0]?.event.id ?? 0
    const last = events.at(-1)?.event.id ?? 0
    const together = framed(events.map(fed => fed.bytes))
    for (const stream of streams) {
      if (stream.behind) continue
      if (!isForPeople(stream.visitor.grant.scope) || stream.position >= first) {
        stream.behind = true
        catchUp(stream)
        continue
      }
      stream.position = last
      write(stream, together)
    }
  }

  /** What it has not seen yet, from what is at hand or from the store, as fast as it reads. */
  async function catchUp(stream: Stream) {
    if (stream.catching) return
    stream.catching = true
    try {
      while (stream.stuckSince === null && streams.has(stream)) {
        const fed = feed.after(stream.position)
        if (fed?.length === 0) {
          stream.behind = false
          return
        }
        if (fed) await writeSome(stream, upToBytes(fed, pageBytes))
        else await writeSome(stream, await readEvents(stream.position))
      }
    } catch {
      // It comes back by its last id.
      stream.response.destroy()
    } finally {
      stream.catching = false
    }
  }

  async function readEvents(since: number): Promise<FedEvent[]> {
    return (await hub.events({ since, limit: page })).map(event => new FedEvent(event))
  }

  async function writeSome(stream: Stream, events: readonly FedEvent[]) {
    const heard: Buffer[] = []
    for (const { event, bytes } of events) {
      const hears = stream.visitor.hub.hears(event)
      if (hears === true || (hears !== false && (await hears))) heard.push(bytes)
    }
    // Ended meanwhile, and nothing may follow the end.
    if (!streams.has(stream)) return
    stream.position = events.at(-1)?.event.id ?? Math.max(stream.position, feed.last())
    if (heard.length > 0) write(stream, framed(heard))
  }

  function write(stream: Stream, bytes: Buffer) {
    if (stream.socket.write(bytes)) return
    stream.stuckSince ??= performance.now()
    stream.behind = true
  }

  function beat() {
    const now = performance.now()
    for (const stream of streams) {
      if (stream.stuckSince === null) write(stream, heartbeat)
      else if (now - stream.stuckSince > patience) stream.response.destroy()
    }
  }

  function buffered(): number {
    let bytes = 0
    for (const { socket } of streams) bytes += socket.writableLength
    return bytes
  }

  function end(visitor: Visitor) {
    for (const stream of streams) if (stream.visitor === visitor) finish(stream)
  }

  /** From here on nothing is written to it, whatever is still under way; who does not read is not waited for. */
  function finish(stream: Stream) {
    streams.delete(stream)
    if (stream.stuckSince === null) stream.response.end()
    else stream.response.destroy()
  }

  function close() {
    clearInterval(timer)
    closed = true
    for (const stream of streams) finish(stream)
  }
}

function upToBytes(events: readonly FedEvent[], most: number): readonly FedEvent[] {
  let bytes = 0
  const end = events.findIndex(fed => {
    bytes += fed.bytes.length
    return bytes >= most
  })
  return end < 0 ? events : events.slice(0, end + 1)
}

/** A piece of a body whose length is not known beforehand, as HTTP/1.1 has it. */
function framed(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...parts, Buffer.from('\r\n')])
}

function ignore() {}
