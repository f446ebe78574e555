import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { BeckonError, type HubApi, isForPeople } from '../../protocol/index.ts'
import type { SignedInCaller } from '../access/callers.ts'
import { EncodedEvent, type Feed } from './event-feed.ts'

interface Stream {
  caller: SignedInCaller
  response: ServerResponse
  /** Written to directly: a chunk for a thousand streams is framed once. */
  socket: Socket
  /** The last event that was written or skipped. */
  position: number
  /** The cursor that its reader knows, and comes back with. */
  known: number
  /** It began at the beginning and has not read all that is left yet: gaps are no news to it. */
  allowGaps: boolean
  /** Behind the others: it catches up by its cursor. */
  behind: boolean
  catchingUp: boolean
  /** Since when its reader has read nothing. */
  stuckSince: number | null
}

export interface Streams {
  /** Begins after the cursor; without one, at the next event. */
  open(caller: SignedInCaller, response: ServerResponse, since: number | null): Promise<void>
  count(): number
  /** Bytes that were written and that readers have not read yet. */
  buffered(): number
  end(caller: SignedInCaller): void
  close(): void
}

const cutOffAfter = 30_000
const page = 100
const pageBytes = 256 * 1024
const heartbeat = framed([Buffer.from(':\n\n')])

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // A proxy that buffers would delay events.
  'x-accel-buffering': 'no',
}

/**
 * Every open stream of events. New events are written to all of them as the same bytes. A slow reader stays where it
 * is and continues from its cursor once it reads again; nothing is buffered for it. A reader that does not read at all
 * is cut off, and comes back with its last id.
 */
export function createStreams(hub: Pick<HubApi, 'events'>, feed: Feed, heartbeatEvery: number): Streams {
  const streams = new Set<Stream>()
  const bySource = new WeakMap<ServerResponse | Socket, Stream>()
  let closed = false
  const timer = setInterval(sendHeartbeats, heartbeatEvery)
  timer.unref()
  // A moment later: a thousand streams take a while to write to, and long polls come first.
  feed.listen(events => setImmediate(writeToAll, events))
  feed.onGap(() => {
    for (const stream of streams) fallBehind(stream)
  })
  return { open, count: () => streams.size, buffered, end, close }

  async function open(caller: SignedInCaller, response: ServerResponse, since: number | null) {
    await feed.ready()
    // Before the headers: a cursor that is too old, or not from this database, is refused with a status.
    if (since && (since > feed.last() || feed.after(since) === null)) await hub.events({ since, limit: 1 })
    if (closed) throw new BeckonError('closed', 'The server is stopping. Try again.')
    const { socket } = response
    if (!socket || response.destroyed || caller.ended) return void response.destroy()
    response.writeHead(200, headers)
    response.flushHeaders()
    const stream: Stream = {
      caller,
      response,
      socket,
      position: since ?? feed.last(),
      known: since ?? feed.last(),
      allowGaps: since === 0,
      behind: true,
      catchingUp: false,
      stuckSince: null,
    }
    streams.add(stream)
    feed.keep(true)
    caller.open += 1
    bySource.set(response, stream)
    bySource.set(socket, stream)
    response.on('error', ignore)
    response.on('close', forgetClosed)
    socket.on('drain', continueAfterDrain)
    write(stream, framed([Buffer.from(`retry: 1000\n: ${stream.position}\n\n`)]))
    await catchUp(stream)
  }

  // One function for all streams: a closure for each is memory for each.
  function forgetClosed(this: ServerResponse) {
    const stream = bySource.get(this)
    if (!stream) return
    streams.delete(stream)
    // The connection may stay open for another call.
    stream.socket.off('drain', continueAfterDrain)
    feed.keep(streams.size > 0)
    stream.caller.open -= 1
  }

  function continueAfterDrain(this: Socket) {
    const stream = bySource.get(this)
    if (!stream) return
    stream.stuckSince = null
    catchUp(stream)
  }

  function writeToAll(events: readonly EncodedEvent[]) {
    const first = events[0]?.event.id ?? 0
    const last = events.at(-1)?.event.id ?? 0
    const chunk = framed(events.map(({ bytes }) => bytes))
    for (const stream of streams) {
      if (stream.behind) continue
      if (!isForPeople(stream.caller.grant.scope) || stream.position >= first) {
        fallBehind(stream)
        continue
      }
      stream.position = last
      stream.known = last
      write(stream, chunk)
    }
  }

  function fallBehind(stream: Stream) {
    stream.behind = true
    catchUp(stream)
  }

  /** Writes what the stream has not seen yet, from memory or from the store, as fast as its reader reads. */
  async function catchUp(stream: Stream) {
    if (stream.catchingUp) return
    stream.catchingUp = true
    try {
      while (stream.stuckSince === null && streams.has(stream)) {
        const recent = feed.after(stream.position)
        if (recent?.length === 0) {
          stream.behind = false
          stream.allowGaps = false
          return
        }
        await writeVisible(stream, recent ? upToBytes(recent, pageBytes) : await readEvents(stream))
      }
    } catch {
      // Its reader comes back with its last id.
      stream.response.destroy()
    } finally {
      stream.catchingUp = false
    }
  }

  async function readEvents({ position, allowGaps }: Stream): Promise<EncodedEvent[]> {
    return (await hub.events({ since: position, limit: page, allowGaps })).map(event => new EncodedEvent(event))
  }

  async function writeVisible(stream: Stream, events: readonly EncodedEvent[]) {
    const visible: Buffer[] = []
    let { known } = stream
    for (const { event, bytes } of events) {
      const isVisible = stream.caller.hub.isVisible(event)
      if (isVisible !== true && (isVisible === false || !(await isVisible))) continue
      visible.push(bytes)
      known = event.id
    }
    // It was ended meanwhile, and nothing may follow the end.
    if (!streams.has(stream)) return
    stream.position = events.at(-1)?.event.id ?? Math.max(stream.position, feed.last())
    stream.known = known
    if (visible.length > 0) write(stream, framed(visible))
  }

  function write(stream: Stream, bytes: Buffer) {
    if (stream.socket.write(bytes)) return
    stream.stuckSince ??= performance.now()
    stream.behind = true
  }

  function sendHeartbeats() {
    const now = performance.now()
    for (const stream of streams) {
      if (stream.stuckSince === null) write(stream, heartbeatFor(stream))
      else if (now - stream.stuckSince > cutOffAfter) stream.response.destroy()
    }
  }

  /** A reader that sees few of the events, or none for long, must not come back with a cursor that is too old. */
  function heartbeatFor(stream: Stream): Buffer {
    if (stream.known >= stream.position) return heartbeat
    stream.known = stream.position
    return framed([Buffer.from(`:\nid: ${stream.position}\n\n`)])
  }

  function buffered(): number {
    let bytes = 0
    for (const { socket } of streams) bytes += socket.writableLength
    return bytes
  }

  function end(caller: SignedInCaller) {
    for (const stream of streams) if (stream.caller === caller) finish(stream)
  }

  /** Nothing is written to it from here on, whatever is still under way; nobody waits for a stuck reader. */
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

function upToBytes(events: readonly EncodedEvent[], most: number): readonly EncodedEvent[] {
  let bytes = 0
  const end = events.findIndex(event => {
    bytes += event.bytes.length
    return bytes >= most
  })
  return end < 0 ? events : events.slice(0, end + 1)
}

/** One chunk of a chunked body of HTTP/1.1. */
function framed(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...parts, Buffer.from('\r\n')])
}

function ignore() {}
