import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type LogRecord, logSize, type ReadLogOptions, readLog } from '../../src/supervisor/log/reader.ts'
import { type LogWriter, type LogWriterOptions, openLogWriter } from '../../src/supervisor/log/writer.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { startProcess } from '../setup/start-process.ts'
import { contentAt } from './log-content.ts'
import type { LogWriterMessage } from './processes/log-writer.ts'

const blockBytes = 65_536
const small: LogWriterOptions = { segmentBytes: blockBytes }

describe('the log of a run', () => {
  const undo: (() => unknown)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })

  async function open(folder: string, options: LogWriterOptions = {}): Promise<LogWriter> {
    const writer = await openLogWriter(folder, options)
    undo.push(() => writer.close())
    return writer
  }

  it('returns what was written, in order, with streams and offsets, in pieces of any size', async () => {
    const pieces = fc.array(
      fc.record({
        stream: fc.constantFrom('out', 'err', 'note', 'in'),
        length: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 150_000 })),
        after: fc.constantFrom('go on', 'flush', 'reopen'),
      }),
      { maxLength: 15 },
    )
    await fc.assert(
      fc.asyncProperty(pieces, fc.constantFrom(1, 3, 100), async (pieces, blocks) => {
        const folder = newLog()
        const options = { segmentBytes: blocks * blockBytes }
        let writer = await openLogWriter(folder, options)
        const expected: string[] = []
        for (const { stream, length, after } of pieces) {
          if (stream === 'note' || stream === 'in') {
            writer.note(`${length}`, stream)
            expected.push(`${stream} ${writer.position()} ${length}`)
          } else {
            const at = writer.position()
            writer.write(stream, contentAt(at, length))
            expected.push(describeRange(stream, at, length))
          }
          if (after === 'flush') await writer.flush()
          if (after === 'reopen') {
            await writer.close({ final: Math.random() < 0.5 })
            writer = await openLogWriter(folder, options)
          }
        }
        const end = writer.position()
        await writer.close()
        const actual: string[] = []
        for (const { stream, offset, bytes } of await records(folder)) {
          if (stream === 'note' || stream === 'in') actual.push(`${stream} ${offset} ${bytes}`)
          else {
            expect(bytes.equals(contentAt(offset, bytes.length))).toBe(true)
            actual.push(describeRange(stream, offset, bytes.length))
          }
        }
        expect(mergeAdjacent(actual)).toEqual(mergeAdjacent(expected))
        expect(await logSize(folder)).toMatchObject({ start: 0, end, closed: true })
      }),
      { numRuns: 60 },
    )
  })

  it('makes its folder and files readable only by their owner', async () => {
    const folder = join(temporaryFolder(), 'runs', 'run_1', 'log')
    const writer = await open(folder, small)
    writer.write('out', contentAt(0, 200_000))
    await writer.flush()
    for (const made of [folder, join(folder, '..'), join(folder, '../..')]) {
      expect(statSync(made).mode & 0o777).toBe(0o700)
    }
    expect(readdirSync(folder)).toHaveLength(4)
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o600)
  })

  it('redacts a secret that is printed in pieces, on each stream, and in notes', async () => {
    const folder = newLog()
    const writer = await open(folder, { secrets: ['hunter2-hunter2'] })
    for (const piece of ['hun', 'ter2-', 'hunter2\nsec']) writer.write('out', Buffer.from(piece))
    for (const piece of ['hunter2', '-hunter3\n']) writer.write('err', Buffer.from(piece))
    writer.note('hunter2-hunter2 was given', 'in')
    writer.addSecret('another')
    for (const piece of ['anoth', 'er\nhunt']) writer.write('out', Buffer.from(piece))
    await writer.close()
    expect(await readText(folder, { streams: ['out'] })).toBe('[redacted]\nsec[redacted]\nhunt')
    expect(await readText(folder, { streams: ['err'] })).toBe('hunter2-hunter3\n')
    expect(await readText(folder, { streams: ['in'] })).toBe('[redacted] was given')
    for (const file of readdirSync(folder))
      expect(readFileSync(join(folder, file)).includes('hunter2-hunter2')).toBe(false)
  })

  it('has the reply to a request once, though a second supervisor cannot know whether the first one noted it', async () => {
    const folder = newLog()
    const first = await open(folder, { secrets: ['hunter2-hunter2'] })
    first.write('out', Buffer.from('which?\n'))
    await first.reply('req_1', '[USER_ANSWER] hunter2-hunter2', { mayBeLogged: false })
    await first.close({ final: false })
    const second = await open(folder)
    await second.reply('req_1', '[USER_ANSWER] hunter2-hunter2', { mayBeLogged: true })
    await second.reply('req_2', '[DEPENDENCY] KEY provided', { mayBeLogged: true })
    second.write('out', Buffer.from('on\n'))
    await second.close()
    expect((await records(folder)).map(({ stream, bytes }) => `${stream} ${String(bytes).trim()}`)).toEqual([
      'out which?',
      'note [USER_ANSWER] [redacted]',
      'note [DEPENDENCY] KEY provided',
      'out on',
    ])
    expect(await readText(folder, { from: { lines: 2 }, streams: ['out', 'note'] })).toBe(
      '[DEPENDENCY] KEY providedon\n',
    )
  })

  it('combines output printed letter by letter into few records', async () => {
    const folder = newLog()
    const writer = await open(folder, { clock: () => 1_000 })
    for (let i = 0; i < 1_000; i += 1) writer.write('out', contentAt(i, 1))
    await writer.close()
    const found = await records(folder)
    expect(found.length).toBeLessThan(10)
    expect(found[0]).toMatchObject({ stream: 'out', time: 1_000, offset: 0 })
  })

  describe('can be read', () => {
    it('from any offset', async () => {
      const folder = newLog()
      const end = await writeSome(folder, 300_000)
      for (const offset of [0, 1, 65_511, 65_512, 65_513, 131_072, 200_001, end - 1, end, end + 5]) {
        const [first] = await records(folder, { from: { offset } })
        if (offset < end) expect(first?.offset).toBe(offset)
        const text = await readText(folder, { from: { offset } })
        expect(text === contentAt(offset, Math.max(0, end - offset)).toString(), `from ${offset}`).toBe(true)
      }
    })

    it('from the last lines, like tail', async () => {
      const line = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 })
      const piece = fc.record({ stream: fc.constantFrom('out', 'err', 'note'), text: line })
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { maxLength: 10 }), fc.integer({ min: 0, max: 12 }), async (pieces, lines) => {
          const folder = newLog()
          const writer = await openLogWriter(folder)
          for (const { stream, text } of pieces) {
            if (stream !== 'note') writer.write(stream, Buffer.from(text))
            else writer.note('a note')
          }
          await writer.close()
          // Notes are separate lines, so the text in front of one is a line, too.
          const shown = asShown(await records(folder)).split(/(?<=\n)/)
          const wanted = lines === 0 ? '' : shown.slice(-lines).join('')
          const actual = asShown(await records(folder, { from: { lines } }))
          expect(actual).toBe(wanted)
        }),
        { numRuns: 300 },
      )
    })

    it('from the last lines across blocks and segments', async () => {
      const folder = newLog()
      const end = await writeSome(folder, 300_000)
      for (const lines of [1, 10, 6_000, 20_000]) {
        const text = await readText(folder, { from: { lines } })
        expect(text === contentAt(end - lines * 12, lines * 12).toString(), `${lines} lines`).toBe(true)
      }
      expect((await readText(folder, { from: { lines: 1e9 } })).length).toBe(end)
    })

    it('from a time', async () => {
      const folder = newLog()
      let now = 0
      const writer = await open(folder, { ...small, clock: () => now })
      for (now = 1_000; now <= 30_000; now += 1_000) writer.write('out', contentAt(writer.position(), 12_000))
      await writer.close()
      for (const time of [0, 1_000, 1_001, 15_500, 30_000, 30_001]) {
        const offset = Math.max(0, Math.ceil(time / 1_000) - 1) * 12_000
        const text = await readText(folder, { from: { time } })
        expect(text === contentAt(offset, 360_000 - offset).toString(), `from ${time}`).toBe(true)
      }
    })
  })

  describe('beyond its limit', () => {
    it('loses its oldest segments, and says how much is gone', async () => {
      const folder = newLog()
      const writer = await open(folder, { ...small, maxBytes: 4 * blockBytes })
      for (let i = 0; i < 100; i += 1) {
        writer.write('out', contentAt(writer.position(), 12_000))
        await writer.flush()
        expect((await logSize(folder)).stored).toBeLessThanOrEqual(4 * blockBytes)
      }
      const { start, end } = await logSize(folder)
      expect(end).toBe(1_200_000)
      expect(start).toBeGreaterThan(1_200_000 - 4 * blockBytes)
      const [gap, ...rest] = await records(folder)
      expect(gap).toMatchObject({ stream: 'gap', offset: 0, missing: start, bytes: Buffer.alloc(0) })
      expect(rest[0]?.offset).toBe(start)
      expect(Buffer.concat(rest.map(({ bytes }) => bytes)).equals(contentAt(start, end - start))).toBe(true)
      const [late] = await records(folder, { from: { offset: start - 10 } })
      expect(late).toMatchObject({ stream: 'gap', offset: start - 10, missing: 10 })
    })

    it('tells a slow reader how much it missed', async () => {
      const folder = newLog()
      const writer = await open(folder, { ...small, maxBytes: 4 * blockBytes })
      writer.write('out', contentAt(0, 12_000))
      await writer.flush()
      const reading = readLog(folder, { follow: true })
      let next = 0
      let missed = 0
      for await (const record of reading) {
        expect(record.offset).toBe(next)
        next += record.missing || record.bytes.length
        missed += record.missing
        expect(record.bytes.equals(contentAt(record.offset, record.bytes.length))).toBe(true)
        if (next !== 12_000) continue
        writer.write('out', contentAt(12_000, 600_000))
        await writer.close()
      }
      expect(next).toBe(612_000)
      expect(missed).toBeGreaterThan(200_000)
    })
  })

  describe('after a failure', () => {
    it('is cut after its last complete record, no matter where it was truncated', async () => {
      const folder = newLog()
      const writer = await openLogWriter(folder)
      const ends: number[] = []
      for (let i = 0; i < 20; i += 1) {
        writer.write('out', contentAt(writer.position(), 7_000))
        await writer.flush()
        ends.push(writer.position())
      }
      await writer.close({ final: false })
      const [file = ''] = readdirSync(folder).map(file => join(folder, file))
      for (let size = statSync(file).size; size > 0; size -= 2_311) {
        truncateSync(file, size)
        const { end } = await logSize(folder)
        expect(await readText(folder)).toBe(contentAt(0, end).toString())
      }
      const again = await open(folder)
      expect(again.position()).toBe(0)
    })

    it('continues where it was cut, overwriting any garbage', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 150_000 }),
          fc.uint8Array({ maxLength: 100 }),
          fc.nat(1_000_000),
          async (length, garbage, cut) => {
            const folder = newLog()
            const writer = await openLogWriter(folder, small)
            writer.write('out', contentAt(0, length))
            await writer.close({ final: false })
            const last = join(folder, readdirSync(folder).sort().at(-1) as string)
            truncateSync(last, statSync(last).size - (cut % (statSync(last).size + 1)))
            appendFileSync(last, garbage)
            const again = await openLogWriter(folder, small)
            const kept = again.position()
            again.write('err', contentAt(kept, 100_000))
            await again.close()
            expect(kept).toBeLessThanOrEqual(length)
            expect((await readText(folder)) === contentAt(0, kept + 100_000).toString()).toBe(true)
          },
        ),
        { numRuns: 50 },
      )
    })

    it('loses at most a damaged block, and says how much', async () => {
      const folder = newLog()
      const end = await writeSome(folder, 300_000, {})
      const file = join(folder, readdirSync(folder)[0] as string)
      const descriptor = openSync(file, 'r+')
      writeSync(descriptor, Buffer.alloc(100), 0, 100, blockBytes + 1_000)
      closeSync(descriptor)
      const found = await records(folder)
      const missing = found.reduce((sum, record) => sum + record.missing, 0)
      expect(found.filter(({ stream }) => stream === 'gap')).toHaveLength(1)
      expect(missing).toBeGreaterThan(0)
      expect(missing).toBeLessThan(blockBytes)
      for (const { offset, bytes } of found) expect(bytes.equals(contentAt(offset, bytes.length))).toBe(true)
      for (const offset of [100_000, 140_000, 250_000]) {
        expect((await records(folder, { from: { offset } })).at(0)?.offset).toBe(offset)
      }
      expect((await logSize(folder)).end).toBe(end)
    })

    it('contains everything up to the last flush when its writer is killed, and can be continued', async () => {
      const folder = newLog()
      let flushed = 0
      for (let i = 0; i < 12; i += 1) {
        const writer = startWriter(folder, Number.POSITIVE_INFINITY)
        writer.on('message', (message: LogWriterMessage) => {
          flushed = message.flushed
        })
        await once(writer, 'message')
        await sleep(Math.random() * 100)
        writer.kill('SIGKILL')
        await once(writer, 'exit')
        const { end } = await logSize(folder)
        expect(end).toBeGreaterThanOrEqual(flushed)
        await expectContent(folder, end)
      }
      expect(flushed).toBeGreaterThan(1_000_000)
    })

    it('stops recording while the disk is full, and notes the gap when there is space', async context => {
      if (!mayMount) context.skip('needs the right to mount a small file system (root)')
      const folder = join(smallDisk('1m'), 'log')
      const stopped = Promise.withResolvers<string>()
      const resumed = Promise.withResolvers<number>()
      const writer = await open(folder, {
        onStopped: fault => stopped.resolve(fault.code),
        onResumed: missing => resumed.resolve(missing),
      })
      for (let i = 0; i < 40; i += 1) {
        expect(writer.write('out', contentAt(writer.position(), 60_000))).toBe(true)
        await writer.flush()
      }
      expect(await stopped.promise).toBe('disk_full')
      const { end } = await logSize(folder)
      expect(end).toBeGreaterThan(500_000)
      await expectContent(folder, end)
      execFileSync('mount', ['-o', 'remount,size=20m', join(folder, '..')])
      const missing = await resumed.promise
      writer.write('out', contentAt(writer.position(), 60_000))
      await writer.close()
      expect(missing).toBe(40 * 60_000 - end)
      const found = await records(folder)
      expect(found.find(({ stream }) => stream === 'gap')).toMatchObject({ offset: end, missing })
      expect(found.find(({ stream }) => stream === 'note')?.bytes.toString()).toMatch(
        new RegExp(`^${missing} bytes of output were not recorded.*is full[.]$`),
      )
      for (const { stream, offset, bytes } of found) {
        if (stream === 'out') expect(bytes.equals(contentAt(offset, bytes.length))).toBe(true)
      }
      expect(await logSize(folder)).toMatchObject({ end: 41 * 60_000, closed: true })
      expect(readdirSync(folder)).toEqual(['00000001.log'])
    })

    it('continues in a new folder if its folder was removed', async () => {
      const folder = newLog()
      const writer = await open(folder, small)
      writer.write('out', contentAt(0, 10_000))
      await writer.flush()
      rmSync(folder, { recursive: true })
      writer.write('out', contentAt(10_000, 90_000))
      await writer.flush()
      await writer.close()
      expect(await records(folder)).toMatchObject([{ stream: 'gap', missing: 100_000 }, { stream: 'note' }])
      expect(await logSize(folder)).toMatchObject({ end: 100_000, closed: true })
    })
  })

  describe('when followed', () => {
    it('shows everything that another process writes in order, across segments, until it is closed', async () => {
      const folder = newLog()
      const writer = startWriter(folder, 5_000_000)
      await expectContent(folder, 5_000_000, { follow: true })
      if (writer.exitCode === null) await once(writer, 'exit')
    })

    it('can be followed before it exists, and delivers new bytes at once', async () => {
      const folder = newLog()
      const reading = readLog(folder, { follow: true })
      const first = reading.next()
      await sleep(20)
      const writer = await open(folder)
      writer.write('out', Buffer.from('one'))
      expect((await first).value).toMatchObject({ bytes: Buffer.from('one') })
      const times: number[] = []
      for (let i = 0; i < 5; i += 1) {
        await sleep(60)
        const start = performance.now()
        const next = reading.next()
        writer.write('out', Buffer.from(`${i}`))
        expect((await next).value).toMatchObject({ bytes: Buffer.from(`${i}`) })
        times.push(performance.now() - start)
      }
      await writer.close()
      expect(await reading.next()).toMatchObject({ done: true })
      // Polling would take half a second; without fs.watch there is only polling.
      expect(Math.min(...times)).toBeLessThan(600)
    })

    it('ends on the signal, also while waiting', async () => {
      const folder = newLog()
      const writer = await open(folder)
      writer.write('out', Buffer.from('one'))
      await writer.flush()
      const stop = new AbortController()
      const reading = readLog(folder, { follow: true, signal: stop.signal })
      await reading.next()
      const next = reading.next()
      stop.abort()
      expect(await next).toMatchObject({ done: true })
      expect(await readLog(folder, { follow: true, signal: AbortSignal.abort() }).next()).toMatchObject({ done: true })
    })

    it('is read to its end when nobody writes it any more', async () => {
      const folder = newLog()
      const writer = await open(folder)
      writer.write('out', Buffer.from('one '))
      await writer.flush()
      const over = new AbortController()
      const reading = readLog(folder, { follow: true, over: over.signal })
      expect((await reading.next()).value).toMatchObject({ bytes: Buffer.from('one ') })
      const next = reading.next()
      writer.write('out', Buffer.from('two'))
      await writer.flush()
      over.abort()
      expect((await next).value).toMatchObject({ bytes: Buffer.from('two') })
      expect(await reading.next()).toMatchObject({ done: true })
      expect(await readText(folder, { follow: true, over: AbortSignal.abort() })).toBe('one two')
    })

    it('continues when the run sleeps and is woken', async () => {
      const folder = newLog()
      const before = await openLogWriter(folder)
      before.write('out', Buffer.from('good '))
      await before.close({ final: false })
      const reading = readText(folder, { follow: true })
      const after = await open(folder)
      after.write('out', Buffer.from('morning'))
      await after.close()
      expect(await reading).toBe('good morning')
    })

    it('shows only new output from the end', async () => {
      const folder = newLog()
      await writeSome(folder, 1_000)
      const writer = await open(folder)
      const reading = readLog(folder, { follow: true, from: { lines: 0 } })
      const next = reading.next()
      await sleep(50)
      writer.write('err', Buffer.from('new'))
      expect((await next).value).toMatchObject({ stream: 'err', bytes: Buffer.from('new') })
      await reading.return(undefined)
    })

    it('ends at once if the log is closed, from any position', async () => {
      const folder = newLog()
      const end = await writeSome(folder, 1_000)
      for (const from of [{ lines: 0 }, { offset: end }, { offset: end + 1 }, { time: Date.now() + 1_000 }]) {
        expect(await records(folder, { follow: true, from })).toEqual([])
      }
    })
  })

  it('is empty if nothing was written', async () => {
    const folder = newLog()
    expect(await records(folder)).toEqual([])
    expect(await records(folder, { from: { lines: 10 } })).toEqual([])
    expect(await records(folder, { from: { offset: 10 } })).toEqual([])
    expect(await logSize(folder)).toEqual({ start: 0, end: 0, stored: 0, closed: false })
    expect(existsSync(folder)).toBe(false)
  })

  it('makes a fast agent wait for the disk', async () => {
    const writer = await open(newLog())
    const chunk = contentAt(0, 250_000)
    const answers = [1, 2, 3, 4, 5, 6].map(() => writer.write('out', chunk))
    expect(answers).toEqual([true, true, true, true, false, false])
    await writer.drained()
    expect(writer.write('out', Buffer.from('x'))).toBe(true)
  })

  it('stores and returns 200 MB in constant memory', async () => {
    const folder = newLog()
    const writer = await openLogWriter(folder, { secrets: ['a secret that never comes'] })
    const memory = watchMemory()
    while (writer.position() < 200_000_000) {
      if (!writer.write('out', contentAt(writer.position(), 60_000))) await writer.drained()
      memory.look()
    }
    await writer.close()
    let next = 0
    for await (const { offset, bytes } of readLog(folder)) {
      if (offset !== next) throw new Error(`expected ${next}, got ${offset}`)
      next += bytes.length
      memory.look()
    }
    expect(next).toBe(writer.position())
    expect(memory.growth()).toBeLessThan(100_000_000)
    const start = performance.now()
    expect((await readText(folder, { from: { lines: 100 } })).length).toBe(12 * 100)
    expect((await records(folder, { from: { offset: 150_000_000 } }).then(found => found[0]))?.offset).toBe(150_000_000)
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  function startWriter(folder: string, until: number): ChildProcess {
    const writer = startProcess(join(import.meta.dirname, 'processes', 'log-writer.ts'), [folder, String(until)])
    writer.stderr?.pipe(process.stderr)
    undo.push(() => writer.kill('SIGKILL'))
    return writer
  }

  /** A separate file system, because only a real one can be full. */
  function smallDisk(size: string): string {
    const folder = temporaryFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
    undo.unshift(() => execFileSync('umount', [folder]))
    return folder
  }

  const mayMount = process.getuid?.() === 0 && canMount()
})

function newLog(): string {
  return join(temporaryFolder(), 'log')
}

/** Writes at least this many bytes, in whole lines. */
async function writeSome(folder: string, bytes: number, options = small): Promise<number> {
  const writer = await openLogWriter(folder, options)
  while (writer.position() < bytes) {
    writer.write(Math.random() < 0.5 ? 'out' : 'err', contentAt(writer.position(), 12 * Math.ceil(Math.random() * 400)))
  }
  await writer.close()
  return writer.position()
}

async function records(folder: string, options?: ReadLogOptions): Promise<LogRecord[]> {
  const found: LogRecord[] = []
  for await (const record of readLog(folder, options)) found.push(record)
  return found
}

async function readText(folder: string, options?: ReadLogOptions): Promise<string> {
  return Buffer.concat((await records(folder, options)).map(({ bytes }) => bytes)).toString()
}

async function expectContent(folder: string, end: number, options: ReadLogOptions = {}): Promise<void> {
  let next = 0
  for await (const { offset, bytes, missing } of readLog(folder, { ...options, streams: ['out', 'err'] })) {
    expect({ offset, missing }).toEqual({ offset: next, missing: 0 })
    if (!bytes.equals(contentAt(offset, bytes.length))) throw new Error(`other bytes at ${offset}`)
    next += bytes.length
  }
  expect(next).toBe(end)
}

/** As a terminal shows it, with each note on a separate line. */
function asShown(records: LogRecord[]): string {
  let text = ''
  for (const { stream, bytes } of records) {
    if (stream !== 'note') text += bytes
    else text += text === '' || text.endsWith('\n') ? `${bytes}\n` : `\n${bytes}\n`
  }
  return text
}

function describeRange(stream: string, from: number, length: number): string {
  return `${stream} ${from} ${from + length}`
}

/** Adjacent records of one stream count as one. */
function mergeAdjacent(actual: string[]): string[] {
  const result: string[] = []
  for (const one of actual) {
    const [stream, from, to] = one.split(' ')
    const [lastStream, lastFrom, lastTo] = result.at(-1)?.split(' ') ?? []
    const touch = (stream === 'out' || stream === 'err') && stream === lastStream && from === lastTo
    if (touch) result.pop()
    result.push(touch ? `${stream} ${lastFrom} ${to}` : one)
  }
  return result
}

function watchMemory() {
  const before = used()
  let most = before
  let looks = 0
  return {
    look() {
      looks += 1
      if (looks % 100 === 0) most = Math.max(most, used())
    },
    growth: () => most - before,
  }
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function canMount(): boolean {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  }
}
