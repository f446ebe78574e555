import { copyFileSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import { openSqlite } from '../../src/store/sqlite/store.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { stored } from './samples.ts'

describe('an SQLite file that is deleted or replaced while it is open', () => {
  const undo: (() => unknown)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })

  async function open() {
    const file = join(temporaryFolder(), 'beckon.db')
    const store = await openSqlite({ file })
    undo.push(() => store.close())
    await stored(store)
    return { file, store }
  }

  const accidents: [string, (file: string) => void][] = [
    ['is deleted', file => rmSync(file)],
    ['is replaced by a copy', replaceByCopy],
    ['is moved behind a link', moveBehindLink],
    ['is emptied', file => truncateSync(file)],
    ['loses its log', file => rmSync(`${file}-wal`)],
    ['loses its shared memory', file => rmSync(`${file}-shm`)],
  ]
  it.each(accidents)('acknowledges no write when the file %s', async (_, happen) => {
    const { file, store } = await open()
    happen(file)
    await expect(stored(store)).rejects.toMatchObject({ code: 'replaced', message: expect.stringContaining(file) })
    // Nor anything later, also where the file is back.
    await expect(stored(store)).rejects.toMatchObject({ code: 'replaced' })
    await expect(store.read(view => view.lastEvent())).rejects.toMatchObject({ code: 'replaced' })
  })

  it('goes on when its whole folder is moved behind a link', async () => {
    const { file, store } = await open()
    moveBehindLink(dirname(file))
    await stored(store)
    expect(await store.read(view => view.lastEvent())).toBe(2)
  })

  it('leaves the log of the database that took its place alone when it closes', async () => {
    const { file, store } = await open()
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`)
    const next = await openSqlite({ file })
    undo.push(() => next.close())
    await stored(next)
    await expect(stored(store)).rejects.toMatchObject({ code: 'replaced' })
    await store.close()
    await stored(next)
    expect(await next.read(view => view.lastEvent())).toBe(2)
  })

  it('is told to those who wait, though nobody writes', async () => {
    const file = join(temporaryFolder(), 'beckon.db')
    const hub = await openHub(file)
    undo.push(() => hub.close())
    const { id } = await hub.raise({ questions: [{ question: 'Ship it?' }] })
    const waiting = [hub.wait(id), hub.wait(id, { for: 60_000 }), hub.follow()[Symbol.asyncIterator]().next()]
    const told = Promise.all(waiting.map(wait => expect(wait).rejects.toMatchObject({ code: 'replaced' })))
    rmSync(file)
    await told
  })
})

function replaceByCopy(file: string): void {
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
}

/** Others then find the log beside where the link leads. */
function moveBehindLink(path: string): void {
  renameSync(path, `${path}.moved`)
  symlinkSync(`${path}.moved`, path)
}
