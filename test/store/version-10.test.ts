import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { hashOf } from '../../src/hub/access/secrets.ts'
import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import type { Request } from '../../src/protocol/index.ts'
import { stepsFrom } from '../../src/store/migrations/index.ts'
import { latest } from '../../src/store/migrations/latest.ts'
import type { Migration } from '../../src/store/migrations/migration.ts'
import { postgresDialect } from '../../src/store/postgres/dialect.ts'
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts'
import { databases, testKey } from '../setup/databases.ts'

// Databases of schema version 10, written by code whose migrations were numbered 001…006 and 008…011 and ran in another
// order than their file names say. Beside each is a JSON file with what that code read from it.
const oldVersion = 10
const fixtures = new URL('fixtures/', import.meta.url)

const fixtureOf = {
  SQLite: { fixture: 'version-10.db', restore: restoreSqlite, columns: sqliteColumns, execute: executeSqlite },
  PostgreSQL: {
    fixture: 'version-10.sql',
    restore: restorePostgres,
    columns: postgresColumns,
    execute: executePostgres,
  },
}

describe.each(databases)('a database of schema version 10 on $name', ({ name, fresh }) => {
  const { fixture, restore, columns, execute } = fixtureOf[name as keyof typeof fixtureOf]
  const expectedData = JSON.parse(readFileSync(new URL(`${fixture}.json`, fixtures), 'utf8'))
  const open: Hub[] = []

  afterEach(async () => {
    await Promise.all(open.splice(0).map(hub => hub.close()))
  })

  async function restored(): Promise<string> {
    const database = await fresh()
    await restore(new URL(fixture, fixtures), database)
    return database
  }

  async function openOne(database: string): Promise<Hub> {
    const caller = { user: 'anna', host: 'landed', directory: '/work/app', agent: 'agent', channel: 'terminal' }
    const hub = await openLocalHub({ database, env: { BECKON_KEY: testKey }, caller, sweeps: false })
    open.push(hub)
    return hub
  }

  it('shows everything that the old code showed', async () => {
    const hub = await openOne(await restored())
    const { ids, token, requests, ...rest } = expectedData
    // Nobody stored what changed for a review.
    const withDiff = (request: Request) => (request.kind === 'review' ? { ...request, diff: null } : request)
    const expected = { ...rest, requests: requests.map(withDiff) }
    expect({
      // Nobody stored the session that asked, and nothing could be said on a request or come with it.
      requests: (await hub.list({ status: 'all', limit: 1_000 })).requests.map(
        ({ session, messages, canReply, attachments, place, ...rest }) =>
          session === null && messages.length + attachments.length === 0 && !canReply && place ? rest : session,
      ),
      draft: await hub.drafts.get(ids.pending),
      events: await hub.events({ limit: 1_000 }),
      // Nobody stored why they ended.
      runs: (await hub.runs.list()).map(({ reason, ...rest }) => (reason === null ? rest : reason)),
      checkpoints: await hub.checkpoints.list(ids.run),
      log: await hub.logs.read(ids.run),
      tokens: await hub.tokens.list(),
      rules: await hub.rules.list({ all: true }),
      // Of a user of this machine, as all kept values were.
      kept: (await hub.kept.list()).map(({ token, ...rest }) => (token === null ? rest : token)),
      targets: await hub.targets.list(),
    }).toEqual(expected)
    expect(await hub.access.identify(token)).toMatchObject({ name: 'ci', scope: 'ask' })
  })

  it('shows in the inbox what waited, the dangerous first, and where it comes from', async () => {
    const database = await restored()
    const approval = (id: string, severity: string) => {
      const body = { action: { command: 'deploy', cwd: '/srv', digest: id, severity, reasons: [], safer: null } }
      const agent = { name: 'deployer', cwd: "/srv/it's", path: [] }
      const texts = [JSON.stringify(body), JSON.stringify(agent)].map(text => `'${text.replaceAll("'", "''")}'`)
      return `('${id}', 'approval', 'pending', 1, ${texts}, 'deployer', 's', '${id}', 'anna', 'landed', 'remind', 1)`
    }
    await execute(database, [
      `insert into requests (id, kind, status, required, body, agent, agent_name, scope, content, asked_by, host, on_timeout,
        created_at) values ${approval('req_0', 'critical')}, ${approval('req_1', 'low')}, ${approval('req_2', 'high')}`,
    ])
    const hub = await openOne(database)
    const { rows, counts, found } = await hub.inbox({ project: "/srv/it's" })
    expect(rows.map(({ id, title, severity, urgent }) => [id, title, severity, urgent])).toEqual([
      ['req_0', 'deploy', 'critical', true],
      ['req_2', 'deploy', 'high', true],
      ['req_1', 'deploy', 'low', false],
    ])
    expect([found, counts.urgent]).toEqual([3, 2])
    expect((await hub.inbox()).rows.map(({ id }) => id)).toContain(expectedData.ids.pending)
    await expect(hub.snooze('req_0', { until: '2999-01-01T00:00:00Z' })).rejects.toThrow('critical')
  })

  it("keeps the draft that was there as its author's, and a second person's beside it", async () => {
    const hub = await openOne(await restored())
    const { ids, draft } = expectedData
    expect(await hub.drafts.all(ids.pending, { by: 'somebody else' })).toEqual({ own: null, others: [draft] })
    await hub.drafts.save(ids.pending, { answers: [], note: 'mine', by: 'somebody else' })
    expect(await hub.drafts.all(ids.pending, { by: draft.by })).toMatchObject({
      own: draft,
      others: [{ by: 'somebody else', note: 'mine' }],
    })
  })

  it('opens its sealed values, and gives a kept value again', async () => {
    const hub = await openOne(await restored())
    expect(await hub.use(expectedData.ids.sealed)).toMatchObject({ value: 'sk-sealed-0123456789' })
    expect(await hub.use(expectedData.ids.byRule)).toMatchObject({ value: 'sk-landed-0123456789' })
    const again = await hub.raise({ kind: 'dependency', type: 'api_key', name: 'KEY', description: 'once more' })
    expect(again).toMatchObject({ status: 'answered', outcome: { channel: 'rule', by: 'anna' } })
    expect(await hub.use(again.id)).toMatchObject({ value: 'sk-landed-0123456789' })
  })

  it('continues where the old code stopped', async () => {
    const hub = await openOne(await restored())
    const last = expectedData.events.at(-1).id
    expect(await hub.answer(expectedData.ids.pending, { value: 'yes' })).toMatchObject({ won: true })
    expect(await hub.answer(expectedData.ids.undelivered, { value: 'no' })).toMatchObject({ won: false, replay: true })
    await hub.runs.start({ again: expectedData.ids.run, command: ['agent', 'go'], cwd: '/work/app' })
    expect((await hub.events({ since: last })).map(({ id, type }) => [id, type])).toEqual([
      [last + 1, 'request.answered'],
      [last + 2, 'run.woken'],
    ])
  })

  it('keeps values for users of the machine, and deletes those that were kept by the name of a token', async () => {
    const database = await restored()
    const token = (name: string, scope: string) => `('tok_${name}', 'token', '${name}', '${scope}', '${name}', 1)`
    const kept = (name: string) => `('kept_${name}', '${name}', 'api_key', 'KEY', '${name}', 'anna', 1, '', 'f')`
    await execute(database, [
      `insert into tokens (id, kind, name, scope, hash, created_at)
        values ${token('runner', 'run')}, ${token('boss', 'admin')}, ${token('asker', 'ask')}`,
      // Its token was deleted long ago.
      `insert into runs (id, name, status, command, cwd, host, started_by, sleeps, start, started_at, token)
        values ('run_old', 'agent', 'completed', '[]', '/', 'far', 'nightly', 0, 1, 1, 'tok_gone')`,
      `insert into kept (id, name, type, dependency, asked_by, kept_by, kept_at, bytes, fingerprint)
        values ${['runner', 'boss', 'asker', 'nightly', 'bert'].map(kept).join()}`,
    ])
    const hub = await openOne(database)
    const before: string[] = expectedData.kept.map(({ name }: { name: string }) => name)
    expect((await hub.kept.list()).map(({ name }) => name)).toEqual([...before, 'asker', 'bert'].toSorted())
    expect((await hub.kept.list()).every(one => one.token === null)).toBe(true)
  })

  it('signs in again whoever was signed in by a link, because its token is not known', async () => {
    const database = await restored()
    const session = (id: string, kind: string, parent: string) =>
      `('${id}', '${kind}', 'anna', 'admin', ${parent}, '${hashOf(id)}', 1, ${Date.now() + 86_400_000})`
    await execute(database, [
      `insert into tokens (id, kind, name, scope, parent, hash, created_at, expires_at)
        values ${session('tok_t', 'token', 'null')}, ${session('tok_s', 'session', "'tok_t'")},
          ${session('tok_unknown', 'session', 'null')}, ${session('tok_link', 'link', 'null')}`,
    ])
    const { access } = await openOne(database)
    expect(await access.identify('tok_t')).toMatchObject({ kind: 'token' })
    expect(await access.identify('tok_s')).toMatchObject({ kind: 'session', parent: 'tok_t' })
    expect(await access.identify('tok_unknown')).toBeNull()
    expect(await access.sessions.signIn('tok_link')).toBeNull()
  })

  it('runs only the missing migrations, and gets the schema of a new database', async () => {
    const upgraded = await restored()
    const made = await fresh()
    const { db } = (name === 'SQLite' ? sqliteDialect : postgresDialect)()
    const kind = name === 'SQLite' ? 'sqlite' : 'postgres'
    expect(stepsFrom(oldVersion, db, kind)[0]).toBe('alter table "sealed" drop column "keep"')
    expect(await columns(upgraded)).toContain('sealed.keep')
    await Promise.all(Array.from({ length: 4 }, () => openOne(upgraded)))
    await openOne(made)
    expect(await columns(upgraded)).toEqual(await columns(made))
    expect(await columns(upgraded)).not.toContain('sealed.keep')
  })
})

describe('the migration files', () => {
  const folder = new URL('../../src/store/migrations/', import.meta.url)
  const files = readdirSync(folder).filter(file => /^\d/.test(file))

  it('are numbered without gaps in the order in which they run', async () => {
    expect(files.map(file => Number(file.slice(0, 3)))).toEqual(Array.from({ length: latest }, (_, i) => i + 1))
    const { db } = sqliteDialect()
    for (const [i, file] of files.entries()) {
      const [migration] = Object.values<Migration>(await import(new URL(file, folder).href))
      const steps = migration?.(db, 'sqlite').map(step => step.compile().sql) ?? []
      expect(stepsFrom(i, db, 'sqlite').slice(0, steps.length), file).toEqual(steps)
      expect(stepsFrom(i, db, 'sqlite').slice(steps.length), file).toEqual(stepsFrom(i + 1, db, 'sqlite'))
    }
  })
})

async function restoreSqlite(fixture: URL, file: string): Promise<void> {
  copyFileSync(fixture, file)
}

async function executeSqlite(file: string, statements: readonly string[]): Promise<void> {
  const database = new Database(file)
  for (const statement of statements) database.exec(statement)
  database.close()
}

async function sqliteColumns(file: string): Promise<string[]> {
  const database = new Database(file, { readonly: true })
  try {
    const sql = `select m.name || '.' || c.name as name from sqlite_master m, pragma_table_info(m.name) c order by 1`
    return database
      .prepare<[], { name: string }>(sql)
      .all()
      .map(row => row.name)
  } finally {
    database.close()
  }
}

function restorePostgres(fixture: URL, url: string): Promise<void> {
  return asAdministrator(url, async client => {
    await client.query(readFileSync(fixture, 'utf8'))
  })
}

function executePostgres(url: string, statements: readonly string[]): Promise<void> {
  return asAdministrator(url, async client => {
    await client.query('set search_path to beckon')
    for (const statement of statements) await client.query(statement)
  })
}

function postgresColumns(url: string): Promise<string[]> {
  return asAdministrator(url, async client => {
    const { rows } = await client.query(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'beckon' order by 1`,
    )
    return rows.map(row => row.name)
  })
}

async function asAdministrator<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
