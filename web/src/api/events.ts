import { readEventStream } from '../../../src/client/event-stream.ts'
import type { Event } from '../../../src/protocol/event.ts'
import { refusalOf, Unreachable } from './call.ts'
import { pageHeader } from './page-secret.ts'

// The server shows every 15 seconds that it lives.
const silence = 45_000

interface Hearing {
  signal: AbortSignal
  onOpen: () => void
  onEvent: (event: Event) => void
}

/** Every event after the cursor, as it happens, until the connection ends; `EventSource` could not say who we are. */
export async function hearEvents(since: number, { signal, onOpen, onEvent }: Hearing): Promise<void> {
  const tooLong = new AbortController()
  let timer = setTimeout(() => tooLong.abort(), silence)
  try {
    const response = await fetch(`/api/events?since=${since}`, {
      headers: { ...pageHeader(), accept: 'text/event-stream' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, tooLong.signal]),
    })
    if (!response.ok) throw refusalOf(response.status, response.statusText, await response.text())
    if (!response.body) throw new Unreachable('The server cannot be reached.')
    onOpen()
    for await (const item of readEventStream(piecesOf(response.body))) {
      clearTimeout(timer)
      timer = setTimeout(() => tooLong.abort(), silence)
      if ('data' in item) onEvent(JSON.parse(item.data) as Event)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Not every browser can go through a stream by itself. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.cancel().catch(() => {})
  }
}
