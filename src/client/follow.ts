import { BeckonError } from '../protocol/errors.ts'
import type { Event } from '../protocol/event.ts'
import type { FollowOptions } from '../protocol/hub.ts'
import { writeCall } from '../protocol/operations/arguments.ts'
import { operation } from '../protocol/operations/index.ts'
import { type Connection, mayRetry, pauseAfter, sleep } from './connection.ts'
import { readEventStream } from './event-stream.ts'
import { watchForSilence } from './silence.ts'

const firstPause = 100
const longestPause = 5_000

/** Every event after the cursor, over as many connections as it takes: each continues where the last one ended. */
export async function* followEvents(
  connection: Connection,
  { since, signal, onReady, onGap }: FollowOptions = {},
): AsyncGenerator<Event> {
  const over = signal ? AbortSignal.any([signal, connection.closed]) : connection.closed
  let cursor = since
  let notifyReady = onReady
  for (let pause = firstPause; !over.aborted; pause = Math.min(pause * 2, longestPause)) {
    const silence = watchForSilence()
    let failure: unknown
    try {
      const { path } = writeCall(operation.events, [{ since: cursor }])
      const either = AbortSignal.any([over, silence.signal])
      const response = await connection.open(path, { accept: 'text/event-stream' }, either)
      for await (const item of readEventStream(response.body)) {
        pause = firstPause
        silence.end()
        if ('comment' in item) {
          if (/^\d+$/.test(item.comment)) begin(Number(item.comment))
          continue
        }
        if ('cursor' in item) {
          cursor = Number(item.cursor)
          continue
        }
        const event = JSON.parse(item.data) as Event
        cursor = event.id
        yield event
        if (over.aborted) return
      }
    } catch (error) {
      if (over.aborted) return
      const oldest = onGap ? oldestCursor(error) : null
      if (oldest !== null) {
        cursor = oldest
        onGap?.(oldest)
        continue
      }
      if (!silence.signal.aborted && !mayRetry(error) && !isCutOff(error)) throw error
      failure = error
    } finally {
      silence.stop()
    }
    await sleep(pauseAfter(failure, pause), over).catch(() => {})
  }

  function begin(at: number) {
    cursor ??= at
    notifyReady?.(at)
    notifyReady = undefined
  }
}

/** The cursor to go on with after `cursor_gone`. */
function oldestCursor(error: unknown): number | null {
  if (!(error instanceof BeckonError) || error.code !== 'cursor_gone') return null
  const { oldest } = (error.details ?? {}) as { oldest?: unknown }
  return typeof oldest === 'number' ? oldest : null
}

/** A connection that broke while it was read. */
function isCutOff(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'AbortError')
}
