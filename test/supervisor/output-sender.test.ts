import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFrameReader, readOutput, type Stream, writeJson } from '../../src/supervisor/holder/frames.ts'
import { OutputSender } from '../../src/supervisor/holder/output-sender.ts'

let folder: string
const server = createServer()
let supervisor: Socket
let received: Buffer[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-sender-'))
  const path = join(folder, 's')
  server.listen(path)
  await once(server, 'listening')
  const other = connect(path)
  received = []
  other.on('data', bytes => received.push(bytes))
  supervisor = (await once(server, 'connection'))[0]
})

afterEach(async () => {
  supervisor.destroy()
  server.close()
  await once(server, 'close')
  rmSync(folder, { recursive: true, force: true })
})

it('sends what arrives in one turn as one frame, and each stream in its own', async () => {
  const sender = new OutputSender(() => supervisor)
  sender.add(piece('out', 0, 'a'))
  sender.add(piece('out', 1, 'bc'))
  sender.add(piece('err', 3, 'd'))
  sender.add(piece('out', 4, 'e'))
  expect(await frames()).toEqual(['out 0 abc', 'err 3 d', 'out 4 e'])
})

it('sends output before a frame that comes after it', async () => {
  const sender = new OutputSender(() => supervisor)
  sender.add(piece('out', 0, 'a'))
  sender.flush()
  supervisor.write(writeJson('exit', null))
  sender.add(piece('out', 1, 'b'))
  expect(await frames()).toEqual(['out 0 a', 'exit', 'out 1 b'])
})

it('sends nothing twice to a supervisor that gets everything anew', async () => {
  const sender = new OutputSender(() => supervisor)
  sender.add(piece('out', 0, 'a'))
  sender.clear()
  sender.add(piece('out', 1, 'b'))
  expect(await frames()).toEqual(['out 1 b'])
})

function piece(stream: Stream, offset: number, text: string) {
  return { stream, offset, bytes: Buffer.from(text) }
}

/** What the other end has received, once all is sent. */
async function frames(): Promise<string[]> {
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  const ended = once(supervisor, 'close')
  supervisor.end()
  await ended
  return createFrameReader()(Buffer.concat(received)).map(({ kind, body }) => {
    if (kind !== 'output') return kind
    const { stream, offset, bytes } = readOutput(body)
    return `${stream} ${offset} ${bytes}`
  })
}
