import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from './sandbox.ts'

/** A home of its own that nothing has open, with one request, and a backup from before a second one. */
async function prepare() {
  const sandbox = await createSandbox()
  const home = join(sandbox.root, 'restored home')
  sandbox.env.BECKON_HOME = home
  const { run, json, cwd } = sandbox
  await run(['ask', '--async', 'First?'])
  expect((await run(['backup', 'copy.db'])).code).toBe(0)
  await run(['ask', '--async', 'Second?'])
  const questions = async () => {
    const { document } = await json(['list'])
    return document.requests.map((request: { questions: { question: string }[] }) => request.questions[0]?.question)
  }
  return { ...sandbox, home, database: join(home, 'beckon.db'), backup: join(cwd, 'copy.db'), questions }
}

describe('beckon restore-database', () => {
  it('puts a backup in place, and keeps what was there with its log', async () => {
    const { run, json, home, database, backup, questions } = await prepare()
    chmodSync(backup, 0o644)
    for (const damage of ['garbage '.repeat(2_000), '']) {
      writeFileSync(database, damage)
      expect(await run(['list'])).toMatchObject({
        code: 74,
        stderr: expect.stringMatching(/beckon\.db .*damaged.*beckon restore-database FILE/),
      })
      writeFileSync(`${database}-wal`, 'its log')
      const { code, document, stderr } = await json(['restore-database', backup])
      expect({ code, document, stderr }).toMatchObject({
        code: 0,
        document: { file: database, from: backup, requests: 1, runs: 0 },
        stderr: expect.stringContaining(document.setAside),
      })
      expect(readFileSync(document.setAside, 'utf8')).toBe(damage)
      expect(readFileSync(`${document.setAside}-wal`, 'utf8')).toBe('its log')
      expect(await questions()).toEqual(['First?'])
    }
    for (const name of readdirSync(home).filter(name => !name.includes('set-aside')))
      expect([name, statSync(join(home, name)).mode & 0o077]).toEqual([name, 0])
    expect((await run(['doctor'])).code).toBe(0)
  })

  it('can be undone with what it set aside', async () => {
    const { json, backup, questions } = await prepare()
    const { document } = await json(['restore-database', backup])
    expect(await questions()).toEqual(['First?'])
    expect((await json(['restore-database', document.setAside])).code).toBe(0)
    expect(await questions()).toEqual(['First?', 'Second?'])
  })

  it('refuses what is not a sound backup, and changes nothing', async () => {
    const { json, run, cwd, database, backup, questions } = await prepare()
    const file = (name: string) => join(cwd, name)
    writeFileSync(file('empty'), '')
    writeFileSync(file('text'), 'not a database '.repeat(1_000))
    writeFileSync(file('half'), readFileSync(backup).subarray(0, 40_960))
    new Database(file('foreign')).exec('create table other (x)').close()
    copyFileSync(backup, file('newer'))
    const newer = new Database(file('newer'))
    newer.pragma('user_version = 9999')
    newer.close()
    for (const name of ['missing', '.', 'empty', 'text', 'half', 'foreign', 'newer', database]) {
      const { code, stderr } = await json(['restore-database', name])
      expect({ name, code, stderr }).toEqual({
        name,
        code: name === 'newer' ? 74 : 1,
        stderr: expect.stringMatching(/[Nn]othing was changed/),
      })
    }
    expect(await questions()).toEqual(['First?', 'Second?'])
    expect(readdirSync(join(database, '..')).filter(name => /set-aside|restored|-new/.test(name))).toEqual([])
    const postgres = await run(['restore-database', backup], {
      env: { BECKON_DB: 'postgres://nobody@127.0.0.1:1/none' },
    })
    expect(postgres).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_restore') })
  })

  it('refuses while another process has the database open, and names it', async () => {
    const { start, run, json, backup, questions } = await prepare()
    const server = start(['serve', '--port', '0', '--no-link'])
    await until(() => server.written().stdout.includes('http'), 'the server')
    expect(await json(['restore-database', backup])).toMatchObject({
      code: 1,
      document: { error: { code: 'in_use', message: expect.stringContaining(`process ${server.child.pid} (`) } },
    })
    expect(await questions()).toEqual(['First?', 'Second?'])
    server.child.kill()
    await server.result
    expect((await run(['restore-database', backup])).code).toBe(0)
  })

  it.each([
    ['', false],
    ['-wal', true],
    ['-shm', true],
  ] as const)(
    'is finished by the next command when it was cut off before it renamed beckon.db%s',
    async (next, isRenamed) => {
      const { start, run, database, backup, questions } = await prepare()
      // A command that is killed leaves the log of the database behind.
      const waiting = start(['ask', 'Third?'])
      await until(async () => (await questions()).includes('Third?'), 'the question')
      waiting.child.kill('SIGKILL')
      await waiting.result
      copyFileSync(backup, `${database}.restored-20260131T000000000Z`)
      for (const part of ['', '-wal', '-shm']) {
        if (part === next) break
        renameSync(`${database}${part}`, `${database}.set-aside-20260131T000000000Z${part}`)
      }
      expect(await questions()).toEqual(isRenamed ? ['First?'] : ['First?', 'Second?', 'Third?'])
      expect((await run(['restore-database', backup])).code).toBe(0)
      expect(await questions()).toEqual(['First?'])
      if (isRenamed) expect(existsSync(`${database}.set-aside-20260131T000000000Z-wal`)).toBe(true)
    },
  )

  it('is finished by the next command also where the database was lost before', async () => {
    const { database, backup, questions } = await prepare()
    copyFileSync(backup, `${database}.restored-20260131T000000000Z`)
    rmSync(database)
    expect(await questions()).toEqual(['First?'])
  })

  it('tells readers whose cursor is from before it that they have missed something', async () => {
    const { run, json, database, backup } = await prepare()
    const since = (cursor: number) => json(['events', '--since', String(cursor)])
    const gone = { code: 1, document: { error: { code: 'cursor_gone' } } }
    for (const loses of [() => {}, () => rmSync(database)]) {
      loses()
      const { stderr } = await run(['restore-database', backup])
      expect(stderr).toMatch(/^Restored .* as .*\n(The old database|There was no database)/)
      for (let i = 0; i < 3; i += 1) await run(['ask', '--async', 'Later?'])
      expect(await since(1)).toMatchObject(gone)
      expect(await since(2)).toMatchObject(gone)
      expect(await since(1_000_000_000)).toMatchObject(gone)
    }
  })
})

describe('beckon backup', () => {
  it('of a damaged database names the database, not the copy', async () => {
    const { run, database } = await prepare()
    const bytes = readFileSync(database)
    // All pages but the first two: it still opens.
    bytes.fill(0xa5, 2 * 4_096)
    writeFileSync(database, bytes)
    const { code, stderr } = await run(['backup', 'second.db'])
    expect({ code, stderr }).toEqual({ code: 74, stderr: expect.stringContaining(`beckon: ${database} is`) })
  })
})
