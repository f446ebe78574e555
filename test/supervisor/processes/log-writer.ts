import { setImmediate } from 'node:timers/promises'
import { openLogWriter } from '../../../src/supervisor/log/writer.ts'
import { contentAt } from '../log-content.ts'

export interface LogWriterMessage {
  /** Everything up to this offset is in the file. */
  flushed: number
}

// Appends to a log in pieces of any size, until it has the given length or the process is killed.
const [folder = '', until = ''] = process.argv.slice(2)
const writer = await openLogWriter(folder, { segmentBytes: 262_144, maxBytes: 1e12 })
process.on('disconnect', () => process.exit())
report()
while (writer.position() < Number(until)) {
  const length = Math.ceil(Math.random() * 10 ** (1 + Math.floor(Math.random() * 5)))
  const bytes = contentAt(writer.position(), Math.min(length, Number(until) - writer.position()))
  if (!writer.write(Math.random() < 0.7 ? 'out' : 'err', bytes)) await writer.drained()
  if (Math.random() < 0.1) writer.note('a note between')
  if (Math.random() < 0.05) {
    await writer.flush()
    report()
  }
  await setImmediate()
}
await writer.close()
process.disconnect?.()

function report() {
  process.send?.({ flushed: writer.position() } satisfies LogWriterMessage)
}
