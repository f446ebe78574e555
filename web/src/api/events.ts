import { readEventStream } from '../../../src/client/event-stream.ts'
import type { Event } from '../../../src/protocol/event.ts'
import { writeCall } from '../../../src/protocol/operations/arguments.ts'
import { operation } from '../../../src/protocol/operations/index.ts'
import { refusalOf, Unreachable } from './call.ts'
import { pageHeader } from './page-secret.ts'

// The server sends a heartbeat every 15 seconds.
const longestSilence = 45_000

interface StreamOptions {
  signal: AbortSignal
  onOpen: () => void
  onEvent: (event: Event) => void
  /** Nothing was missed up to here, although no event came. */
  onCursor: (cursor: number) => void
}

/** Every event after the cursor, as it happens, until the connection ends. `EventSource` cannot send our header. */
export async function hearEvents(since: number, { signal, onOpen, onEvent, onCursor }: StreamOptions): Promise<void> {
  const tooLong = new AbortController()
  let timer = setTimeout(() => tooLong.abort(), longestSilence)
  try {
    const response = await fetch(writeCall(operation.events, [{ since }]).path, {
      headers: { ...pageHeader(), accept: 'text/event-stream' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, tooLong.signal]),
    })
    if (!response.ok) throw refusalOf(response.status, response.statusText, await response.text())
    if (!response.body) throw new Unreachable('The server cannot be reached.')
    onOpen()
    for await (const item of readEventStream(chunksOf(response.body))) {
      clearTimeout(timer)
      timer = setTimeout(() => tooLong.abort(), longestSilence)
      if ('cursor' in item) onCursor(Number(item.cursor))
      if ('data' in item) onEvent(JSON.parse(item.data) as Event)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.cancel().catch(() => {})
  }
}
