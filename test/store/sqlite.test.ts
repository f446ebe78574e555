import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { latest } from '../../src/store/migrations/latest.ts'
import { prepareFolder } from '../../src/store/sqlite/file.ts'
import { openSqlite } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { createSmallDisk, mayMount, type SmallDisk } from '../setup/small-disk.ts'
import { stored } from './samples.ts'

describe('the SQLite store', () => {
  const undo: (() => unknown)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })

  async function open(file: string): Promise<Store> {
    const store = await openSqlite({ file })
    undo.push(() => store.close())
    return store
  }

  function smallDisk(size: string): SmallDisk {
    const disk = createSmallDisk(size)
    undo.push(disk.unmount)
    return disk
  }

  const canMount = mayMount()

  it('makes its folder and files readable only by their owner', async () => {
    const folder = join(temporaryFolder(), 'new')
    const store = await open(join(folder, 'beckon.db'))
    const watch = await store.watch(() => {})
    await stored(store)
    watch.stop()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const files = readdirSync(folder)
    expect(files).toEqual(expect.arrayContaining(['beckon.db', 'beckon.db-bell', 'beckon.db-wal']))
    for (const file of files) expect(statSync(join(folder, file)).mode & 0o077, file).toBe(0)
  })

  it('is fully durable', async () => {
    const file = join(temporaryFolder(), 'beckon.db')
    await open(file)
    const database = new Database(file)
    undo.push(() => database.close())
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
    const { SqliteConnection } = await import('../../src/store/sqlite/connection.ts')
    const connection = await SqliteConnection.open(file)
    undo.push(() => connection.close())
    expect(connection.pragma('synchronous')).toBe(2)
  })

  it('refuses a newer schema, on opening and later', async () => {
    const file = join(temporaryFolder(), 'beckon.db')
    const store = await open(file)
    const newer = new Database(file)
    newer.pragma(`user_version = ${latest + 1}`)
    newer.close()
    await expect(stored(store)).rejects.toMatchObject({ code: 'newer_schema' })
    await expect(openSqlite({ file })).rejects.toMatchObject({
      code: 'newer_schema',
      message: expect.stringContaining('newer Beckon'),
    })
    expect(await store.read(view => view.lastEvent())).toBe(0)
  })

  it('leaves the databases of other programs alone', async () => {
    const file = join(temporaryFolder(), 'other.db')
    const other = new Database(file)
    other.exec('create table bookmarks (url text)')
    other.close()
    await expect(openSqlite({ file })).rejects.toMatchObject({ code: 'damaged' })
    const again = new Database(file)
    undo.push(() => again.close())
    expect(again.prepare('select name from sqlite_master').pluck().all()).toEqual(['bookmarks'])
  })

  it('reports a file that is not a database', async () => {
    const file = join(temporaryFolder(), 'beckon.db')
    writeFileSync(file, 'not a database, whatever its name says'.repeat(100))
    await expect(openSqlite({ file })).rejects.toMatchObject({ code: 'damaged' })
  })

  it('reports that its folder cannot be created', async () => {
    const file = join(temporaryFolder(), 'a-file')
    writeFileSync(file, '')
    await expect(openSqlite({ file: join(file, 'beckon.db') })).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('reports a file system that does not allow its folder', async () => {
    await expect(openSqlite({ file: '/proc/beckon/beckon.db' })).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('creates missing parent folders', async () => {
    const folder = join(temporaryFolder(), 'a', 'b', 'c')
    await open(join(folder, 'beckon.db'))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('refuses a network file system and says what to do instead', () => {
    const file = join(temporaryFolder(), 'beckon.db')
    expect(() => prepareFolder(file, () => 0x6969)).toThrow(/network file system \(NFS\).*BECKON_URL/)
    expect(existsSync(file)).toBe(false)
  })

  it('reports a full disk, keeps its data, and continues when there is space', async context => {
    if (!canMount) context.skip('needs the right to mount a small file system (root)')
    const disk = smallDisk('1m')
    const store = await open(join(disk.folder, 'beckon.db'))
    const kept = await stored(store)
    disk.fill()
    const failures = await Promise.allSettled([1, 2, 3].map(() => stored(store, { context: 'x'.repeat(50_000) })))
    expect(failures.map(failure => failure.status)).toEqual(['rejected', 'rejected', 'rejected'])
    for (const failure of failures) {
      if (failure.status === 'rejected') expect(failure.reason).toMatchObject({ code: 'disk_full' })
    }
    disk.makeRoom()
    const after = await stored(store, { context: 'x'.repeat(50_000) })
    expect((await store.read(view => view.requests(everything))).records.map(({ id }) => id)).toEqual([
      kept.id,
      after.id,
    ])
    expect(await store.read(view => view.lastEvent())).toBe(2)
  })

  it('reads from a read-only disk, says why it cannot write, and writes when it can', async context => {
    if (!canMount) context.skip('needs the right to mount a small file system (root)')
    const disk = smallDisk('1m')
    const file = join(disk.folder, 'beckon.db')
    const before = await openSqlite({ file })
    const kept = await stored(before)
    await before.close()
    disk.setReadOnly(true)
    const store = await open(file)
    expect(await store.read(view => view.request(kept.id))).toMatchObject({ id: kept.id })
    await expect(stored(store)).rejects.toMatchObject({ code: 'read_only' })
    disk.setReadOnly(false)
    const added = await stored(store)
    expect(await store.read(view => view.request(added.id))).toMatchObject({ id: added.id })
  })

  it('shows what others write while it can only read', async context => {
    if (!canMount) context.skip('needs the right to mount a small file system (root)')
    const disk = smallDisk('2m')
    const file = join(disk.folder, 'beckon.db')
    await openSqlite({ file }).then(store => store.close())
    disk.fill()
    const store = await open(file)
    await expect(stored(store)).rejects.toMatchObject({ code: 'disk_full' })
    const news = Promise.withResolvers<void>()
    const watch = await store.watch(() => news.resolve())
    disk.makeRoom()
    const other = await open(file)
    const { id } = await stored(other)
    await news.promise
    watch.stop()
    expect(await store.read(view => view.request(id))).toMatchObject({ id })
  })

  it('does not take the signal of its own commit for that of another process', async () => {
    const file = join(temporaryFolder(), 'beckon.db')
    const [store, other] = [await open(file), await open(file)]
    const calls: string[] = []
    const othersCommit = Promise.withResolvers<void>()
    const watch = await store.watch(events => {
      calls.push(events ? 'own' : 'others')
      if (!events) othersCommit.resolve()
    })
    await stored(store)
    await stored(other)
    await othersCommit.promise
    watch.stop()
    expect(calls).toEqual(['own', 'others'])
  })

  it('does not take an empty file for a new database', async () => {
    const file = join(temporaryFolder(), 'beckon.db')
    writeFileSync(file, '')
    writeFileSync(`${file}-wal`, 'the log of what was there')
    await expect(openSqlite({ file })).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(/is empty.*beckon restore-database FILE/),
    })
    expect(readFileSync(`${file}-wal`, 'utf8')).toBe('the log of what was there')
  })

  it('creates the database although a process died while it did so', async () => {
    const file = join(temporaryFolder(), 'beckon.db')
    writeFileSync(`${file}-new`, 'half a database')
    writeFileSync(`${file}-wal`, 'the log of a database that was deleted')
    await stored(await open(file))
    expect(readdirSync(dirname(file)).some(name => /set-aside-.*-wal$/.test(name))).toBe(true)
    expect(existsSync(`${file}-new`)).toBe(false)
  })

  it('waits for a lock of another process without blocking this one', async () => {
    const file = join(temporaryFolder(), 'beckon.db')
    const store = await open(file)
    const holder = spawn(process.execPath, ['--input-type=module', '-e', holdTheLock, file], {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: import.meta.dirname,
    })
    undo.push(() => holder.kill())
    await once(holder.stdout, 'data')
    const writing = stored(store)
    const beats: number[] = []
    for (let i = 0; i < 20; i += 1) {
      await new Promise(resolve => setTimeout(resolve, 2))
      beats.push(i)
    }
    expect(await Promise.race([writing.then(() => 'written'), 'waiting'])).toBe('waiting')
    expect(beats).toHaveLength(20)
    holder.stdin.end()
    await writing
  })

  it('can be opened in a shared folder', async () => {
    const folder = join(temporaryFolder(), 'shared')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    await open(join(folder, 'beckon.db'))
    // An existing folder keeps its permissions; the file is private.
    expect(statSync(folder).mode & 0o777).toBe(0o755)
    expect(statSync(join(folder, 'beckon.db')).mode & 0o777).toBe(0o600)
  })
})

const everything = {
  status: null,
  run: null,
  kind: null,
  scope: null,
  search: null,
  newestFirst: false,
  after: null,
  limit: 10,
}

const holdTheLock = `
  import Database from 'better-sqlite3'
  const database = new Database(process.argv[1])
  database.exec('begin immediate')
  process.stdout.write('held')
  process.stdin.on('end', () => { database.exec('rollback'); process.exit() }).resume()
`
