import { readEventStream } from '../../../src/client/event-stream.ts'
import { watchForSilence } from '../../../src/client/silence.ts'
import type { Event } from '../../../src/protocol/event.ts'
import { writeCall } from '../../../src/protocol/operations/arguments.ts'
import { operation } from '../../../src/protocol/operations/index.ts'
import { open } from './call.ts'

interface StreamOptions {
  signal: AbortSignal
  onOpen: () => void
  onEvent: (event: Event) => void
  /** Nothing was missed up to here, although no event came. */
  onCursor: (cursor: number) => void
}

/** Every event after the cursor, as it happens, until the connection ends. `EventSource` cannot send our header. */
export async function hearEvents(since: number, { signal, onOpen, onEvent, onCursor }: StreamOptions): Promise<void> {
  const silence = watchForSilence()
  const over = AbortSignal.any([signal, silence.signal])
  try {
    const response = await open(writeCall(operation.events, [{ since }]).path, { accept: 'text/event-stream' }, over)
    onOpen()
    for await (const item of readEventStream(response.body)) {
      silence.end()
      if ('cursor' in item) onCursor(Number(item.cursor))
      if ('data' in item) onEvent(JSON.parse(item.data) as Event)
    }
  } finally {
    silence.stop()
  }
}
