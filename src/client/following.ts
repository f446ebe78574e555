import type { Event, FollowOptions } from '../protocol/index.ts'
import { type Caller, isPassing, sleep } from './call.ts'
import { readEventStream } from './event-stream.ts'

const firstPause = 100
const longestPause = 5_000
// The server shows every 15 seconds that it lives.
const silence = 45_000

/** Every event after the cursor, over as many connections as it takes: each goes on where the last one ended. */
export async function* followEvents(
  caller: Caller,
  { since, signal, onReady }: FollowOptions = {},
): AsyncGenerator<Event> {
  const over = signal ? AbortSignal.any([signal, caller.closed]) : caller.closed
  let cursor = since
  let tell = onReady
  for (let pause = firstPause; !over.aborted; pause = Math.min(pause * 2, longestPause)) {
    const silent = createSilence()
    try {
      const query = cursor === undefined ? '' : `?since=${cursor}`
      const response = await caller.open(
        `/api/events${query}`,
        { accept: 'text/event-stream' },
        AbortSignal.any([over, silent.signal]),
      )
      for await (const item of readEventStream(response.body ?? nothing())) {
        pause = firstPause
        silent.broken()
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
      if (!silent.signal.aborted && !isPassing(error) && !isCutOff(error)) throw error
    } finally {
      silent.stop()
    }
    await sleep(pause, over).catch(() => {})
  }

  function begin(at: number) {
    cursor ??= at
    tell?.(at)
    tell = undefined
  }
}

/** A connection that died without a word says nothing any more. */
function createSilence() {
  const tooLong = new AbortController()
  let timer = setTimeout(() => tooLong.abort(), silence)
  return {
    signal: tooLong.signal,
    broken() {
      clearTimeout(timer)
      timer = setTimeout(() => tooLong.abort(), silence)
    },
    stop: () => clearTimeout(timer),
  }
}

/** A connection that broke while it was read. */
function isCutOff(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'AbortError')
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
