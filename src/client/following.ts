import type { Event, FollowOptions } from '../protocol/index.ts'
import { type Caller, isPassing, sleep } from './call.ts'
import { readEventStream } from './event-stream.ts'

const firstPause = 100
const longestPause = 5_000

/** Every event after the cursor, over as many connections as it takes: each goes on where the last one ended. */
export async function* followEvents(
  caller: Caller,
  { since, signal, onReady }: FollowOptions = {},
): AsyncGenerator<Event> {
  const over = signal ? AbortSignal.any([signal, caller.closed]) : caller.closed
  let cursor = since
  let tell = onReady
  for (let pause = firstPause; !over.aborted; pause = Math.min(pause * 2, longestPause)) {
    try {
      const query = cursor === undefined ? '' : `?since=${cursor}`
      const response = await caller.open(`/api/events${query}`, { accept: 'text/event-stream' }, over)
      for await (const item of readEventStream(response.body ?? nothing())) {
        pause = firstPause
        if ('comment' in item) {
          if (/^\d+$/.test(item.comment)) begin(Number(item.comment))
          continue
        }
        const event = JSON.parse(item.data) as Event
        cursor = event.id
        yield event
        if (over.aborted) return
      }
    } catch (error) {
      if (over.aborted) return
      if (!isPassing(error) && !isCutOff(error)) throw error
    }
    await sleep(pause, over).catch(() => {})
  }

  function begin(at: number) {
    cursor ??= at
    tell?.(at)
    tell = undefined
  }
}

/** A connection that broke while it was read. */
function isCutOff(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'AbortError')
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
