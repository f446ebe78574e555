import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Batch, type Columns, prepare } from '../prepare.ts'
import type { RequestRow, Tables } from '../schema.ts'
import { compilable } from './settle.ts'
import { one, upTo } from './shared.ts'

// Nobody waits for these any more: asking the same again is a new ask.
const abandoned = sql<never>`('cancelled', 'orphaned')`

// PostgreSQL is asked for the time when a transaction begins; a statement that waited for it would take another round trip.
const transactionTime = sql<number>`current_setting('beckon.now')::bigint`

type IdAndStatus = Pick<RequestRow, 'id' | 'status'>

type ByKey = { scope: string; key: string }
type ByContent = { content: string; agent: string; since: number }

/** Each a value, or an SQL expression for it. */
type OrSql<Values> = { [Name in keyof Values]: Values[Name] | RawBuilder<Values[Name]> }

const columns = {
  id: 'text',
  run: 'text',
  kind: 'text',
  status: 'text',
  required: 'integer',
  body: 'text',
  context: 'text',
  agent: 'text',
  agent_name: 'text',
  session: 'text',
  scope: 'text',
  key: 'text',
  content: 'text',
  asked_by: 'text',
  host: 'text',
  timeout: 'bigint',
  on_timeout: 'text',
  deadline: 'bigint',
  due: 'bigint',
  created_at: 'bigint',
  settled_at: 'bigint',
  delivered_at: 'bigint',
  delivered_start: 'bigint',
  used_at: 'bigint',
  use_nonce: 'text',
  outcome: 'text',
  title: 'text',
  directory: 'text',
  danger: 'integer',
  alike: 'text',
  same_question: 'text',
  detail: 'text',
  parts: 'integer',
  can_reply: 'integer',
  messages: 'text',
  attachments: 'text',
  traceparent: 'text',
} as const satisfies Record<keyof RequestRow, 'text' | 'integer' | 'bigint'>
const columnNames = Object.keys(columns) as (keyof RequestRow)[]

export function requestStatements(db: Kysely<Tables>, kind: 'sqlite' | 'postgres') {
  return {
    insertRequest: {
      one: prepare<RequestRow>(value => db.insertInto('requests').values(rowOf(value))),
      many: prepare<Columns<RequestRow>, { asked: number }>(value =>
        compilable(
          db,
          sql`insert into requests (${sql.join(columnNames.map(name => sql.ref(name)))})
            select * from unnest(${sql.join(columnNames.map(name => sql`${value(name)}::${sql.raw(columns[name])}[]`))})`,
        ),
      ),
    } satisfies Batch<RequestRow>,

    request: {
      one: prepare<{ id: string; now: number }, RequestRow>(value =>
        db.selectFrom('requests').selectAll().where('id', '=', value('id')),
      ),
      many: prepare<{ ids: readonly string[] }, RequestRow>(value =>
        db
          .selectFrom('requests')
          .selectAll()
          .where('id', '=', anyOf(value('ids'))),
      ),
    },

    status: {
      one: prepare<{ id: string; now: number }, IdAndStatus>(value =>
        db.selectFrom('requests').select(['id', 'status']).where('id', '=', value('id')),
      ),
      many: prepare<{ ids: readonly string[] }, IdAndStatus>(value =>
        db
          .selectFrom('requests')
          .select(['id', 'status'])
          .where('id', '=', anyOf(value('ids'))),
      ),
    },

    requestByKey: {
      one: prepare<ByKey, RequestRow>(value => byKey(db, { scope: value('scope'), key: value('key') })),
      many: prepare<Columns<ByKey>, RequestRow & { asked: number }>(value =>
        compilable(
          db,
          sql`select asked.n::integer as asked, found.* from unnest(${value('scope')}::text[], ${value('key')}::text[])
              with ordinality as asked (scope, key, n)
            cross join lateral ${byKey(db, { scope: sql.ref('asked.scope'), key: sql.ref('asked.key') })} as found`,
        ),
      ),
    } satisfies Batch<ByKey, RequestRow>,

    // Asks are taken in their order, so the next one comes after the last that was taken. Two indexes lead to both without
    // a look at the others; their conditions are literals, or SQLite would not use them.
    nextOfContentInRun: prepare<{ content: string; start: number }, RequestRow>(value =>
      db
        .selectFrom('requests')
        .selectAll()
        .where('content', '=', value('content'))
        .where('run', 'is not', null)
        .where('key', 'is', null)
        .where('status', 'not in', abandoned)
        .where(stillHasItsValue)
        .where(eb => {
          const lastTaken = eb
            .selectFrom('requests as taken')
            .select('taken.id')
            .where('taken.content', '=', value('content'))
            .where('taken.delivered_start', '=', value('start'))
            .where('taken.delivered_start', 'is not', null)
            .where('taken.key', 'is', null)
            .orderBy('taken.id', 'desc')
            .limit(one)
          return eb('id', '>', eb.fn.coalesce(lastTaken, sql.lit('')))
        })
        .orderBy('id')
        .limit(one),
    ),

    untakenOfContent: {
      one: prepare<ByContent, RequestRow>(value =>
        untakenOfContent(db, { content: value('content'), agent: value('agent'), since: value('since') }),
      ),
      many: prepare<Columns<ByContent>, RequestRow & { asked: number }>(value => {
        const asked = {
          content: sql.ref('asked.content'),
          agent: sql.ref('asked.agent'),
          since: sql.ref('asked.since'),
        }
        return compilable(
          db,
          sql`select asked.n::integer as asked, found.*
            from unnest(${value('content')}::text[], ${value('agent')}::text[], ${value('since')}::bigint[])
              with ordinality as asked (content, agent, since, n)
            cross join lateral ${untakenOfContent(db, asked as OrSql<ByContent>)} as found`,
        )
      }),
    } satisfies Batch<ByContent, RequestRow>,

    // The conditions of requests_same_question are literals, or SQLite would not use it.
    answeredBefore: prepare<{ question: string; but: string; limit: number }, RequestRow>(value =>
      db
        .selectFrom('requests')
        .selectAll()
        .where('same_question', '=', value('question'))
        .where(sql.ref('status'), '=', sql.lit('answered'))
        .where('id', '<>', value('but'))
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    openOfRun: prepare<{ run: string }, RequestRow>(value =>
      db
        .selectFrom('requests')
        .selectAll()
        .where('run', '=', value('run'))
        .where('status', '=', 'pending')
        .orderBy('created_at')
        .orderBy('id'),
    ),

    // The runs are a JSON list, because SQLite has no arrays. PostgreSQL would rather read all that is open, but for the
    // offset, which makes it look each run up.
    openOfRuns: prepare<{ runs: string }, RequestRow>(value =>
      compilable(
        db,
        kind === 'sqlite'
          ? sql`select * from requests where run in (select value from json_each(${value('runs')})) and status = 'pending'
              order by created_at, id`
          : sql`select requests.* from json_array_elements_text(${value('runs')}::json) as page (run)
              cross join lateral (
                select * from requests where requests.run = page.run and status = 'pending' offset 0
              ) as requests
              order by created_at, id`,
      ),
    ),

    due: prepare<{ now: number; limit: number }, RequestRow>(value =>
      db
        .selectFrom('requests')
        .selectAll()
        .where('status', '=', 'pending')
        .where('due', '<=', value('now'))
        .orderBy('due')
        .limit(upTo(value('limit'))),
    ),

    nextDue: prepare<object, { due: number | null }>(() =>
      db
        .selectFrom('requests')
        .select('due')
        .where('status', '=', 'pending')
        .where('due', 'is not', null)
        .orderBy('due')
        .limit(one),
    ),

    remind: prepare<{ id: string; seen: number; next: number | null }, { id: string }>(value =>
      db
        .updateTable('requests')
        .set({ due: value('next') })
        .where('id', '=', value('id'))
        .where('status', '=', 'pending')
        .where('due', '=', value('seen'))
        .returning('id'),
    ),

    reschedule: prepare<{ id: string; timeout: number | null; due: number | null }, RequestRow>(value =>
      db
        .updateTable('requests')
        .set({ timeout: value('timeout'), deadline: value('due'), due: value('due') })
        .where('id', '=', value('id'))
        .where('status', '=', 'pending')
        .returningAll(),
    ),

    // What people talk about stands in the inbox by itself.
    saveMessages: prepare<{ id: string; messages: string }, RequestRow>(value =>
      db
        .updateTable('requests')
        .set({ messages: value('messages'), alike: null })
        .where('id', '=', value('id'))
        .where('status', '=', 'pending')
        .returningAll(),
    ),

    // In a run, records the start of the run that takes it.
    deliver: {
      one: prepare<{ id: string; now: number }, RequestRow>(value =>
        deliverSettled(db, kind === 'postgres' ? transactionTime : value('now'))
          .where('id', '=', value('id'))
          .returningAll(),
      ),
      many: prepare<{ ids: readonly string[] }, RequestRow>(value =>
        deliverSettled(db, transactionTime)
          .where('id', '=', anyOf(value('ids')))
          .returningAll(),
      ),
    },

    redeliver: prepare<{ id: string }>(value =>
      db
        .updateTable('requests')
        .set(eb => ({
          delivered_start: eb.selectFrom('runs').select('start').whereRef('runs.id', '=', 'requests.run'),
        }))
        .where('id', '=', value('id'))
        .where('run', 'is not', null),
    ),

    use: prepare<{ id: string; at: number; nonce: string | null }, RequestRow>(value =>
      db
        .updateTable('requests')
        .set({ used_at: value('at'), use_nonce: value('nonce') })
        .where('id', '=', value('id'))
        .where('status', '=', 'answered')
        .where('used_at', 'is', null)
        .returningAll(),
    ),
  }
}

function rowOf(value: <Name extends keyof RequestRow>(name: Name) => RequestRow[Name]): RequestRow {
  return Object.fromEntries(columnNames.map(name => [name, value(name)])) as unknown as RequestRow
}

function byKey(db: Kysely<Tables>, { scope, key }: OrSql<ByKey>) {
  return db.selectFrom('requests').selectAll().where('scope', '=', scope).where('key', '=', key).limit(one)
}

function untakenOfContent(db: Kysely<Tables>, { content, agent, since }: OrSql<ByContent>) {
  return (
    db
      .selectFrom('requests')
      .selectAll()
      .where('content', '=', content)
      .where('agent_name', '=', agent)
      .where('key', 'is', null)
      .where('status', 'not in', abandoned)
      .where('delivered_at', 'is', null)
      // Not an OR with the status: SQLite would then use another index for each half.
      .where(sql<boolean>`coalesce(settled_at, ${since}) >= ${since}`)
      .orderBy('id')
      .limit(one)
  )
}

function deliverSettled(db: Kysely<Tables>, at: number | RawBuilder<number>) {
  return (
    db
      .updateTable('requests')
      .set(eb => ({
        delivered_at: at,
        delivered_start: eb.selectFrom('runs').select('start').whereRef('runs.id', '=', 'requests.run'),
      }))
      .where('status', '<>', 'pending')
      // Not `is null`: PostgreSQL would look for the ids in all of the index of what is untaken, which its key does not begin with.
      .where(sql<boolean>`coalesce(delivered_at, -1) = -1`)
  )
}

/** Only for PostgreSQL: SQLite has no round trips to save. */
function anyOf(ids: readonly string[]) {
  return sql<string>`any(${ids})`
}

/** A secret whose seal was deleted cannot be given again: the agent has to ask anew. */
function stillHasItsValue(eb: ExpressionBuilder<Tables, 'requests'>) {
  return eb.or([
    eb('kind', '<>', 'dependency'),
    eb('status', '<>', 'answered'),
    eb.exists(eb.selectFrom('sealed').select('sealed.request').whereRef('sealed.request', '=', 'requests.id')),
  ])
}
