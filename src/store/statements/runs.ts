import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { RunRow, Tables } from '../schema.ts'
import { ended, upTo } from './shared.ts'

export interface RunListing {
  host: string | null
  local: number
  token: string | null
  limit: number
}

export function runStatements(db: Kysely<Tables>) {
  return {
    run: prepare<{ id: string }, RunRow>(value => db.selectFrom('runs').selectAll().where('id', '=', value('id'))),

    runs: prepare<RunListing, RunRow>(value =>
      listRuns(db, value)
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    // Without conditions, or PostgreSQL would expect them to leave few rows, and sort all of them.
    newestRuns: prepare<{ limit: number }, RunRow>(value =>
      db
        .selectFrom('runs')
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    runsOfToken: prepare<{ token: string; limit: number }, RunRow>(value =>
      db
        .selectFrom('runs')
        .selectAll()
        .where('token', '=', value('token'))
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    activeRuns: prepare<RunListing, RunRow>(value =>
      listRuns(db, value)
        .where(isActive)
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    awakeRuns: prepare<RunListing, RunRow>(value =>
      listRuns(db, value)
        .where(isActive)
        .where('status', '<>', 'asleep')
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    readyRuns: prepare<RunListing, RunRow>(value =>
      listRuns(db, value)
        .where(isActive)
        .where('status', '=', 'asleep')
        .where(eb => {
          const open = eb
            .selectFrom('requests')
            .select('requests.id')
            .whereRef('requests.run', '=', 'runs.id')
            .where('requests.status', '=', 'pending')
          return eb.or([eb.not(eb.exists(open)), eb.exists(open.where(isAskedBack))])
        })
        .orderBy('started_at')
        .orderBy('id')
        .limit(upTo(value('limit'))),
    ),

    insertRun: prepare<RunRow>(value =>
      db.insertInto('runs').values({
        id: value('id'),
        name: value('name'),
        status: value('status'),
        command: value('command'),
        cwd: value('cwd'),
        host: value('host'),
        started_by: value('started_by'),
        pid: value('pid'),
        session: value('session'),
        exit_code: value('exit_code'),
        reason: value('reason'),
        resume_command: value('resume_command'),
        sleeps: value('sleeps'),
        start: value('start'),
        started_at: value('started_at'),
        ended_at: value('ended_at'),
        token: value('token'),
      }),
    ),

    replaceRun: prepare<RunRow & { seen: string }, { id: string }>(value =>
      db
        .updateTable('runs')
        .set({
          name: value('name'),
          status: value('status'),
          command: value('command'),
          cwd: value('cwd'),
          host: value('host'),
          pid: value('pid'),
          session: value('session'),
          exit_code: value('exit_code'),
          reason: value('reason'),
          resume_command: value('resume_command'),
          sleeps: value('sleeps'),
          start: value('start'),
          ended_at: value('ended_at'),
          token: value('token'),
        })
        .where('id', '=', value('id'))
        .where('status', '=', value('seen'))
        .returning('id'),
    ),

    // Changes nothing, but locks the row until the commit.
    holdRun: prepare<{ id: string }, { id: string }>(value =>
      db
        .updateTable('runs')
        .set({ id: value('id') })
        .where('id', '=', value('id'))
        .where(eb => eb.or([eb('status', 'not in', ended), eb('resume_command', 'is not', null), eb('sleeps', '=', 1)]))
        .returning('id'),
    ),
  }
}

// The condition of the index runs_active in migration 022, to the letter, or SQLite would not use it.
const isActive = sql<boolean>`status in ('starting', 'running', 'paused', 'asleep')`

function listRuns(db: Kysely<Tables>, value: <Name extends keyof RunListing>(name: Name) => RunListing[Name]) {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('host', '=', sql<string>`coalesce(${value('host')}, host)`)
    .where(sql`coalesce(token, '')`, '=', sql`coalesce(${value('token')}, token, '')`)
    .where(eb => eb.or([eb(sql<number>`${value('local')} + 0`, '=', sql.lit(0)), eb('token', 'is', null)]))
}

/**
 * A person asked the built-in agent back, and it did not take the message. It names its requests by its conversation, which
 * is its session. Quotes inside of a text are escaped in JSON, so no text looks like this.
 */
function isAskedBack() {
  return sql<boolean>`requests.messages like '%"heardAt":null%' and (requests.key like runs.session || '/%' or requests.key like runs.session || '-%')`
}
