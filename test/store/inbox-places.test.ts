import { hash } from 'node:crypto'
import Database from 'better-sqlite3'
import type { Compilable } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { readPlaces } from '../../src/store/inbox-places.ts'
import { openStore } from '../../src/store/open.ts'
import { postgresDialect } from '../../src/store/postgres/dialect.ts'
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts'
import type { InboxConditions, InboxPlaceRow, InboxPosition } from '../../src/store/statements/inbox.ts'
import { databases } from '../setup/databases.ts'

const [now, soon] = [1_000_000, 1_600_000]
const reader = { person: 'me', now, soon, upTo: 'req_0399' }
const everything: InboxConditions = {
  view: 'waiting',
  directory: null,
  agent: null,
  run: null,
  kind: null,
  createdBefore: null,
  ids: null,
  alike: null,
}
const views: Record<string, Partial<InboxConditions>> = {
  everything: {},
  'what is urgent': { view: 'urgent' },
  'what is snoozed': { view: 'snoozed' },
  'one agent': { agent: 'agent-1' },
  'one project': { directory: '/p0' },
  'a search': { ids: ['req_0007', 'req_0111', 'req_0222', 'req_0401', 'req_9999'] },
}

// Most are of one fold per agent, some of small groups or alone; some are dangerous, due soon or snoozed.
const rows = Array.from({ length: 410 }, (_, i) => ({
  id: `req_${String(i).padStart(4, '0')}`,
  kind: i % 29 === 0 ? 'approval' : 'question',
  status: i % 11 === 5 ? 'answered' : 'pending',
  required: 1,
  body: '{}',
  agent: '{}',
  agent_name: `agent-${i % 3}`,
  directory: i % 37 === 1 ? longPath(i) : i % 41 === 1 ? null : `/p${i % 2}`,
  scope: 'user:me:/',
  content: `c${i}`,
  asked_by: 'me',
  host: 'here',
  on_timeout: i % 2 === 0 ? 'fail' : 'remind',
  deadline: i % 13 === 0 ? now + 1_000 * i : null,
  due: i % 13 === 0 ? now + 1_000 * i : null,
  created_at: i,
  danger: i % 29 === 0 ? 3 + (i % 2) : 0,
  alike: i % 29 === 0 || i % 5 === 0 || i % 37 === 1 || i % 41 === 1 ? null : alikeOf(i),
}))

/** Too long for an index of PostgreSQL, compressed, too. */
function longPath(i: number): string {
  return Array.from({ length: 46 }, (_, n) => `/${hash('sha512', `${i}-${n}`, 'base64url')}`).join('')
}

function alikeOf(i: number): string {
  return `${i % 6}-${i % 7 === 0 ? `small-${Math.floor(i / 90)}` : 'many'}`
}

const open: Record<string, (database: string) => Promise<Opened>> = { SQLite: openSqlite, PostgreSQL: openPostgres }

describe.each(databases)('the places of the inbox on $name', ({ name, fresh }) => {
  it('are the same a page at a time, from the newest, as sorted all at once', async () => {
    const database = await fresh()
    const store = await openStore({ database })
    const { inbox, run, insert, select, close } = await (open[name] as (typeof open)[string])(database)
    try {
      await run('begin')
      for (const row of rows) await insert('requests', row)
      for (let i = 0; i < 410; i += 17) {
        await insert('snoozes', { request: rows[i]?.id, person: 'me', until: i % 3 === 0 ? now - 1 : now + 1 })
      }
      await run('commit')
      for (const [what, view] of Object.entries(views)) {
        const conditions = { ...everything, ...view }
        const all = await select<InboxPlaceRow>(inbox.places(reader, conditions, null, 1_000))
        expect(all.length, what).toBeGreaterThan(1)
        for (const limit of [3, 20]) {
          const paged: InboxPlaceRow[] = []
          for (
            let after: InboxPosition | null | undefined = null;
            after !== undefined;
            after = paged[paged.length - 1]
          ) {
            const page = await readPlaces(select, inbox, [reader, conditions], { after, limit })
            paged.push(...page)
            if (page.length < limit) break
          }
          const numbers = all.map(({ id, urgency, members }) => [id, Number(urgency), members && Number(members)])
          expect([what, paged.map(({ id, urgency, members }) => [id, urgency, members])]).toEqual([what, numbers])
        }
      }
      const counts = await select<{ what: string; waiting: number; urgent: number; snoozed: number }>(
        inbox.counts(reader),
      )
      const sum = counts.find(({ what }) => what === 'all')
      for (const view of ['waiting', 'urgent', 'snoozed'] as const) {
        const [found] = await select<{ count: number }>(inbox.found(reader, { ...everything, view }))
        expect([view, Number(sum?.[view])]).toEqual([view, Number(found?.count)])
      }
    } finally {
      await close()
      await store.close()
    }
  }, 60_000)
})

interface Opened {
  inbox: ReturnType<typeof sqliteDialect>['statements']['inbox']
  run(sql: string): Promise<unknown>
  insert(table: string, row: object): Promise<unknown>
  select<Row>(query: Compilable): Promise<Row[]>
  close(): Promise<unknown> | unknown
}

async function openSqlite(file: string): Promise<Opened> {
  const db = new Database(file)
  return {
    inbox: sqliteDialect().statements.inbox,
    run: async sql => db.exec(sql),
    insert: async (table, row) => db.prepare(insertion(table, row, () => '?')).run(Object.values(row)),
    select: async <Row>(query: Compilable) => {
      const { sql, parameters } = query.compile()
      return db.prepare(sql).all(...parameters) as Row[]
    },
    close: () => db.close(),
  }
}

async function openPostgres(url: string): Promise<Opened> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('set search_path = beckon')
  return {
    inbox: postgresDialect().statements.inbox,
    run: sql => client.query(sql),
    insert: (table, row) =>
      client.query(
        insertion(table, row, n => `$${n + 1}`),
        Object.values(row),
      ),
    select: async <Row>(query: Compilable) => {
      const { sql, parameters } = query.compile()
      return (await client.query(sql, [...parameters])).rows as Row[]
    },
    close: () => client.end(),
  }
}

function insertion(table: string, row: object, place: (n: number) => string): string {
  const names = Object.keys(row)
  return `insert into ${table} (${names.join(', ')}) values (${names.map((_, n) => place(n)).join(', ')})`
}
