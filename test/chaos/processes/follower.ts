import { setTimeout as sleep } from 'node:timers/promises'
import { readEventStream } from '../../../src/client/event-stream.ts'
import type { Event } from '../../../src/protocol/index.ts'
import { runWorker } from './run-worker.ts'

// Follows all events on whichever node replies, and continues after the last event that it recorded.
await runWorker(async ({ options, random, record, earlier, over }) => {
  let cursor = earlier.findLast(entry => entry.it === 'saw')?.event ?? 0
  while (!over.aborted) {
    const silence = new AbortController()
    // The server sends a heartbeat every 15 seconds.
    let timer = setTimeout(() => silence.abort(), 20_000)
    try {
      const response = await fetch(`http://127.0.0.1:${random.pick(options.ports)}/api/events`, {
        headers: {
          authorization: `Bearer ${options.token}`,
          accept: 'text/event-stream',
          'last-event-id': String(cursor),
        },
        signal: AbortSignal.any([over, silence.signal]),
      })
      if (response.status < 500 && response.status !== 200) {
        record({ it: 'was refused', call: `follow from ${cursor}`, reply: await response.text() })
      }
      if (response.status === 200 && response.body) await follow(response.body)
    } catch {
      // The node has gone; another one continues.
    } finally {
      clearTimeout(timer)
    }
    await sleep(100, undefined, { signal: over }).catch(() => {})

    async function follow(body: AsyncIterable<Uint8Array>) {
      for await (const item of readEventStream(body)) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), 20_000)
        if (!('data' in item)) continue
        const { id, type, request } = JSON.parse(item.data) as Event
        record({ it: 'saw', event: id, type, request })
        cursor = id
      }
    }
  }
})
