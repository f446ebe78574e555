import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runFolder } from '../../src/supervisor/folder.ts'
import { type LogWriter, openLogWriter } from '../../src/supervisor/log/writer.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { call, startServer } from './test-server.ts'

async function start() {
  const home = temporaryFolder()
  const server = await startServer(join(home, 'beckon.db'), { home })
  const run = await server.hub.runs.start({ command: ['agent'], cwd: '/' })
  const log = await openLogWriter(runFolder(home, run.id).log)
  const token = await server.token('answer')
  const read = async (query = '') => (await call(server, 'GET', `/api/runs/${run.id}/log${query}`, { token })).json
  return { read, log }
}

async function print(log: LogWriter, text: string | Buffer, stream: 'out' | 'err' = 'out') {
  log.write(stream, Buffer.from(text))
  await log.flush()
}

function joinPieces({ pieces }: { pieces: { stream: string; text: string }[] }): string {
  return pieces.map(({ stream, text }) => `${stream}:${text}`).join('|')
}

it('the log of a run is returned in pages, each piece once, with notes and both streams', async () => {
  const { read, log } = await start()
  expect(await read()).toMatchObject({ pieces: [], final: false })
  await print(log, 'one\n')
  log.note('paused')
  log.note('resumed')
  await print(log, 'two\n', 'err')
  const first = await read()
  expect(joinPieces(first)).toBe('out:one\n|note:paused|note:resumed|err:two\n')
  expect(await read(`?after=${first.next}`)).toMatchObject({ pieces: [], next: first.next, final: false })
  log.note('asleep')
  await log.flush()
  const second = await read(`?after=${first.next}`)
  expect(joinPieces(second)).toBe('note:asleep')
  const third = await read(`?after=${second.next}`)
  expect(third.pieces).toEqual([])
  log.note('woken')
  await log.close({ final: true })
  const last = await read(`?after=${third.next}&wait=30`)
  expect(joinPieces(last)).toBe('note:woken')
  expect(last.final).toBe(true)
})

it('the log of a run waits for more output, and reports its end', async () => {
  const { read, log } = await start()
  await print(log, 'one\n')
  const { next } = await read()
  const waiting = read(`?after=${next}&wait=30`)
  await print(log, 'two\n')
  const page = await waiting
  expect(joinPieces(page)).toBe('out:two\n')
  const ending = read(`?after=${page.next}&wait=30`)
  await log.close({ final: true })
  expect(await ending).toMatchObject({ pieces: [], final: true })
  expect(await read(`?after=${page.next}&wait=0.01`)).toMatchObject({ pieces: [], final: true })
})

it('a page of a log never splits a character', async () => {
  const { read, log } = await start()
  const text = '배포할까요? 👩‍🚀 é\n'.repeat(40)
  for (const byte of [Buffer.from(text).subarray(0, 700), Buffer.from(text).subarray(700)]) await print(log, byte)
  await log.close({ final: true })
  for (const limit of [1, 7, 100, 701, 5_000]) {
    let got = ''
    let after = '0'
    for (let final = false; !final; ) {
      const page = await read(`?after=${after}&limit=${limit}`)
      got += page.pieces.map((piece: { text: string }) => piece.text).join('')
      final = page.final || page.pieces.length === 0
      after = page.next
    }
    expect(got).toBe(text)
  }
})

it('a log waits for the rest of a character that is half printed', async () => {
  const { read, log } = await start()
  const [first, second] = [Buffer.from('가').subarray(0, 1), Buffer.from('가').subarray(1)]
  await print(log, Buffer.concat([Buffer.from('a'), first]))
  const page = await read()
  expect(joinPieces(page)).toBe('out:a')
  const waiting = read(`?after=${page.next}&wait=30`)
  await print(log, second)
  expect(joinPieces(await waiting)).toBe('out:가')
  await log.close({ final: true })
})

it('a log repeats no note before a half-printed character, and loses no character that comes byte by byte', async () => {
  const { read, log } = await start()
  const bytes = [...Buffer.from('👩')].map(byte => Buffer.of(byte))
  log.note('paused')
  await print(log, bytes[0] as Buffer)
  const page = await read()
  expect(joinPieces(page)).toBe('note:paused')
  await sleep(20)
  await print(log, bytes[1] as Buffer)
  const next = await read(`?after=${page.next}`)
  expect(joinPieces(next)).toBe('')
  await sleep(20)
  for (const byte of bytes.slice(2)) await print(log, byte)
  expect(joinPieces(await read(`?after=${next.next}`))).toBe('out:👩')
  await log.close({ final: true })
})

it('a log can be read from its end, and refuses an invalid cursor', async () => {
  const { read, log } = await start()
  await print(log, `${'x'.repeat(99)}\n`.repeat(2_000))
  const page = await read('?after=end')
  expect(page.pieces.map((piece: { text: string }) => piece.text).join('')).toHaveLength(65_536)
  expect((await read('?after=nonsense')).error.code).toBe('invalid')
  await log.close()
})
