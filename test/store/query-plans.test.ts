import Database from 'better-sqlite3'
import type { Compilable } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { listRequests } from '../../src/hub/requests.ts'
import { openStore } from '../../src/store/open.ts'
import { postgresDialect } from '../../src/store/postgres/dialect.ts'
import type { Prepared } from '../../src/store/prepare.ts'
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts'
import type { InboxConditions } from '../../src/store/statements/inbox.ts'
import type { Statements } from '../../src/store/statements/index.ts'
import { endOfScan, listing } from '../../src/store/statements/listing.ts'
import type { RequestQuery } from '../../src/store/store.ts'
import { databases } from '../setup/databases.ts'

// Nearly a hundred thousand requests: every tenth is pending, every thousandth was asked with a rarely used token.
const columns = `id, kind, status, required, body, context, agent, agent_name, scope, content, asked_by, host, on_timeout,
  created_at, same_question, run`
const values = `'question', case when i % 10 = 0 then 'pending' else 'answered' end, 1,
  '{"questions":[{"id":"q1","question":"Shall version ' || i || ' go out?","options":[]}]}', 'context of ' || i,
  '{"name":"agent","cwd":"/","path":[]}', 'agent',
  case when i % 1000 = 0 then 'token:tok_seldom' when i % 3 = 0 then 'token:tok_often' else 'user:me:/' end, 'c' || i,
  'me', 'here', 'remind', i, 's' || (i % 1000), case when i % 3 = 1 then 'run_' || (i % 100) end`

const rare = { scope: 'token:tok_seldom' }
const queries: Record<string, Partial<RequestQuery>> = {
  "the token's own, oldest first": rare,
  "the token's own, newest first": { ...rare, newestFirst: true },
  "the token's own that are pending": { ...rare, status: 'pending' },
  "the token's own that are settled, after a cursor": { ...rare, status: 'answered', after: 'req_00050000' },
  'those of a run': { run: 'run_7', newestFirst: true },
  'those of a run that are pending': { run: 'run_7', status: 'pending' },
  'those that were declined': { status: 'declined', newestFirst: true },
}
const all: RequestQuery = {
  status: null,
  run: null,
  kind: null,
  scope: null,
  search: null,
  newestFirst: false,
  after: null,
  limit: 101,
}

const reader = { person: 'me', now: 1_000, soon: 2_000, upTo: 'req_99999999' }
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
type InboxStatement = (inbox: Statements['inbox']) => Compilable
/** What looks at all open requests: it reads one index, and no row. */
const inboxStatements: Record<string, InboxStatement> = {
  'the counts': inbox => inbox.counts(reader),
  'a page': inbox => inbox.places(reader, everything, null, 51),
  'the next page': inbox => inbox.places(reader, everything, { urgency: 0, id: 'req_00050000' }, 51),
  'how many were found': inbox => inbox.found(reader, { ...everything, view: 'urgent', kind: 'approval', agent: 'a' }),
}
const candidate = { id: 'req_00000010', urgency: 0, alike: 'alike', directory: '/work', agent_name: 'agent' }
/** What usually fills the first page: the indexes that spare it a look at the others. */
const firstPage: Record<string, [InboxStatement, RegExp]> = {
  'the newest': [inbox => inbox.newestCalm(reader, everything, null, 204), /requests_open/],
  'what may be urgent': [inbox => inbox.urgentIds(reader, 200), /requests_dangerous[\s\S]*requests_due/],
  'what is alike': [
    inbox => inbox.calmFolds(reader, everything, [candidate]),
    /requests_inbox \(directory=\? AND agent_name=\? AND alike=\?|Only Scan using requests_inbox .*\n.*Index Cond: \(\(?alike = /,
  ],
  'what a search finds': [
    inbox => inbox.matchingWithin(['version'], [['req_00000100', 'req_00000132']]),
    /SEARCH requests USING INDEX requests_open \(id>\? AND id<\?\)|Index Scan using requests_open .*\n.*Index Cond: \(\(id >= .* AND \(id < /,
  ],
}

interface Filled {
  /** The query plan of the database. */
  plan(query: RequestQuery): Promise<string>
  planOfInbox(statement: InboxStatement): Promise<string>
  planOf(statement: Prepared<unknown, unknown>, values: unknown): Promise<string>
  statements: Statements
  close(): Promise<unknown> | unknown
}

const fill: Record<string, (database: string) => Promise<Filled>> = { SQLite: fillSqlite, PostgreSQL: fillPostgres }

describe.each(databases)('nearly a hundred thousand requests on $name', ({ name, fresh }) => {
  it('are not scanned for a list or the inbox, and a text search scans only a part at a time', async () => {
    const database = await fresh()
    const store = await openStore({ database })
    const filled = await (fill[name] as (typeof fill)[string])(database)
    try {
      for (const [what, query] of Object.entries(queries)) {
        const plan = await filled.plan({ ...all, ...query })
        expect([what, plan]).toEqual([what, expect.stringMatching(/requests_owner|requests_run|requests_rare_status/)])
        expect([what, plan]).toEqual([what, expect.not.stringMatching(/Seq Scan|SCAN requests(?! USING)/)])
      }
      for (const [what, statement] of Object.entries(inboxStatements)) {
        const plan = await filled.planOfInbox(statement)
        const index = name === 'SQLite' ? /COVERING INDEX requests_inbox/ : /Index Only Scan using requests_inbox/
        expect([what, plan]).toEqual([what, expect.stringMatching(index)])
        expect([what, plan]).toEqual([what, expect.not.stringMatching(/Seq Scan on requests|SCAN requests(?! USING)/)])
      }
      for (const [what, [statement, index]] of Object.entries(firstPage)) {
        expect([what, await filled.planOfInbox(statement)]).toEqual([what, expect.stringMatching(index)])
      }
      const { answeredBefore } = filled.statements
      const earlier = { question: 's500', but: 'req_00000500', limit: 20 }
      expect(await filled.planOf(answeredBefore as Prepared<unknown, unknown>, earlier)).toMatch(
        /requests_same_question/,
      )
      for (const [what, [statement, values, index]] of Object.entries(ofLongHistory(filled.statements))) {
        const plan = await filled.planOf(statement as Prepared<unknown, unknown>, values)
        expect([what, plan]).toEqual([what, expect.stringMatching(index)])
        expect([what, plan]).toEqual([
          what,
          expect.not.stringMatching(/Seq Scan on (requests|runs)|SCAN (?!this$)\w+$/m),
        ])
      }
      for (const [what, [statement, values, index]] of Object.entries(
        name === 'PostgreSQL' ? inBatches(filled.statements) : {},
      )) {
        const plan = await filled.planOf(statement as Prepared<unknown, unknown>, values)
        expect([what, plan]).toEqual([what, expect.stringMatching(index)])
        expect([what, plan]).toEqual([what, expect.not.stringMatching(/Seq Scan on requests/)])
      }
      const byEnd = filled.statements.idsEndingWith.request as Prepared<unknown, unknown>
      const plan = await filled.planOf(byEnd, { end: '98999', tail: '999', limit: 50 })
      expect(plan).toMatch(/requests_end_of_id/)
      expect(await store.read(view => view.idsEndingWith('request', '98999', 50))).toEqual(['req_00098999'])
      const page = (options: Parameters<typeof listRequests>[1]) =>
        listRequests(store, { status: 'all', order: 'desc', ...options })
      const found = await page({ search: 'version 98999 go' })
      expect(found.requests.map(({ id }) => id)).toEqual(['req_00098999'])
      // It searches the newest fifty thousand; a caller continues from there for the others.
      const none = await page({ search: 'version 31 go' })
      expect(none).toMatchObject({ requests: [], next: 'req_00049001' })
      const rest = await page({ search: 'version 31 go', after: none.next ?? '' })
      expect([rest.requests.map(({ id }) => id), rest.next]).toEqual([['req_00000031'], null])
      expect((await page({ status: 'declined', search: 'version' })).requests).toEqual([])
    } finally {
      await filled.close()
      await store.close()
    }
  }, 120_000)
})

it('PostgreSQL finds what is delivered by its id, where nearly all was delivered before', async () => {
  const [postgres] = databases.filter(({ name }) => name === 'PostgreSQL')
  const database = (await postgres?.fresh()) ?? ''
  const store = await openStore({ database })
  const filled = await fillPostgres(database, 'delivered_at', 'case when i % 500 = 0 then null else i end')
  try {
    const { many } = filled.statements.deliver
    const ids = Array.from({ length: 50 }, (_, i) => `req_${String((i + 1) * 500).padStart(8, '0')}`)
    const plan = await filled.planOf(many as Prepared<unknown, unknown>, { ids })
    expect(plan).toMatch(/requests_pkey/)
  } finally {
    await filled.close()
    await store.close()
  }
})

/** What a person or an agent waits for, with the indexes that spare them the history. */
function ofLongHistory(statements: Statements): Record<string, [unknown, object, RegExp]> {
  const runs = { host: null, local: 0, token: null, limit: 50 }
  return {
    'the same ask in a run': [
      statements.nextOfContentInRun,
      { content: 'c500', start: 1 },
      /requests_content_in_run[\s\S]*requests_taken_in_run|requests_taken_in_run[\s\S]*requests_content_in_run/,
    ],
    'the open requests of a page of runs': [statements.openOfRuns, { runs: '["run_7", "run_8"]' }, /requests_run/],
    'what waits, by kind': [statements.waitingByKind, {}, /(COVERING INDEX|Index Only Scan using) requests_inbox/],
    'the newest runs': [statements.newestRuns, { limit: 50 }, /runs_started/],
    'the runs of a token': [statements.runsOfToken, { token: 'tok_7', limit: 50 }, /runs_of_token/],
    'the active runs': [statements.activeRuns, runs, /runs_active/],
    'the runs that are awake': [statements.awakeRuns, { ...runs, host: 'here' }, /runs_active/],
    'the runs to wake': [statements.readyRuns, { ...runs, host: 'here' }, /runs_active/],
    // Both ends of a segment: with one alone, each segment would be compared with all requests before it.
    'what is left of the index of searches': [
      statements.search.emptySegment,
      {},
      /SEARCH requests USING .*\(id>\? AND id<\?\)|Index Cond: \(\(\(?id\)?(::text)? >= [\s\S]*id\)?(::text)? < /,
    ],
  }
}

/** What many asks share a statement for. */
function inBatches({ requestByKey, untakenOfContent }: Statements): Record<string, [unknown, object, RegExp]> {
  return {
    'earlier asks by key': [
      requestByKey.many,
      { scope: ['s1', 's2'], key: ['k1', 'k2'] },
      /Index Scan using requests_/,
    ],
    'earlier asks by content': [
      untakenOfContent.many,
      { content: ['c1', 'c2'], agent: ['a', 'a'], since: [0, 0] },
      /Index Scan using requests_/,
    ],
  }
}

const runColumns = 'id, name, status, command, cwd, host, started_by, sleeps, start, started_at, token'
const runValues = `'run', case when i % 500 = 0 then 'running' else 'completed' end, '[]', '/', 'here', 'me', 0, 1, i,
  case when i % 3 = 0 then 'tok_' || (i % 100) end`

async function fillSqlite(file: string): Promise<Filled> {
  const db = new Database(file)
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 99000)
    insert into requests (${columns}) select printf('req_%08d', i), ${values} from n`)
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
    insert into runs (${runColumns}) select printf('run_%08d', i), ${runValues} from n`)
  const { db: kysely, statements } = sqliteDialect()
  return {
    statements,
    planOf: async (statement, values) => explainSql(statement.sql, statement.bind(values)),
    plan: async query => {
      const steps = [listing(kysely, query, null), endOfScan(kysely, query)].map(explain)
      return steps.join('\n')
    },
    planOfInbox: async statement => explain(statement(statements.inbox)),
    close: () => db.close(),
  }

  function explain(statement: Compilable): string {
    const { sql, parameters } = statement.compile()
    return explainSql(sql, parameters)
  }

  function explainSql(sql: string, parameters: readonly unknown[]): string {
    const rows = db.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
    return rows.map(({ detail }) => detail).join('\n')
  }
}

async function fillPostgres(url: string, column = 'used_at', value = 'null::bigint'): Promise<Filled> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('set search_path = beckon')
  const id = "'req_' || lpad(i::text, 8, '0')"
  await client.query(
    `insert into requests (${columns}, ${column}) select ${id}, ${values}, ${value} from generate_series(1, 99000) i`,
  )
  const run = "'run_' || lpad(i::text, 8, '0')"
  await client.query(`insert into runs (${runColumns}) select ${run}, ${runValues} from generate_series(1, 20000) i`)
  // What has not changed since then is read from indexes alone; autovacuum sees to that.
  await client.query('vacuum analyze')
  const { db, statements } = postgresDialect()
  return {
    statements,
    planOf: (statement, values) => explainSql(statement.sql, statement.bind(values)),
    plan: async query => `${await explain(listing(db, query, null))}\n${await explain(endOfScan(db, query))}`,
    planOfInbox: statement => explain(statement(statements.inbox)),
    close: () => client.end(),
  }

  async function explain(statement: Compilable): Promise<string> {
    const { sql, parameters } = statement.compile()
    return explainSql(sql, parameters)
  }

  async function explainSql(sql: string, parameters: readonly unknown[]): Promise<string> {
    const { rows } = await client.query(`explain ${sql}`, [...parameters])
    return rows.map(row => row['QUERY PLAN']).join('\n')
  }
}
