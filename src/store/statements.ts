import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { runEnds } from '../protocol/index.ts'
import { prepare } from './prepare.ts'
import type { EventRow, RequestRow, RunRow, SealedRow, Tables } from './schema.ts'

export type Statements = ReturnType<typeof statements>

/** Every fixed query of the store, compiled for one dialect. Every change of state is guarded in its own WHERE. */
export function statements(db: Kysely<Tables>) {
  return { ...requestStatements(db), ...eventStatements(db), ...runStatements(db), ...secretStatements(db) }
}

// A withdrawn or orphaned ask is over: asking the same again is a new ask.
const over = ['cancelled', 'orphaned']
const ended: readonly string[] = runEnds

// A bare `limit ?` makes SQLite plan the statement again at every call, for the sake of that number.
const one = sql.lit(1)
const upTo = (limit: number) => sql<number>`${limit} + 0`

/** A secret whose seal is gone cannot be given again: it is asked for anew. */
function stillHasItsValue(eb: ExpressionBuilder<Tables, 'requests'>) {
  return eb.or([
    eb('kind', '<>', 'dependency'),
    eb('status', '<>', 'answered'),
    eb.exists(eb.selectFrom('sealed').select('sealed.request').whereRef('sealed.request', '=', 'requests.id')),
  ])
}

/** A run that goes on, or that can be brought back and has something to come back for. */
function runsThatComeBack(db: Kysely<Tables>) {
  return db
    .selectFrom('runs')
    .select('runs.id')
    .where(eb =>
      eb.or([
        eb('runs.status', 'not in', ended),
        eb.and([
          eb.or([eb('runs.resume_command', 'is not', null), eb('runs.sleeps', '=', 1)]),
          eb.exists(
            eb
              .selectFrom('requests as rest')
              .select('rest.id')
              .whereRef('rest.run', '=', 'runs.id')
              .where(of => of.or([of('rest.status', '=', 'pending'), of('rest.delivered_at', 'is', null)])),
          ),
        ]),
      ]),
    )
}

function requestStatements(db: Kysely<Tables>) {
  return {
    insertRequest: prepare<RequestRow>(value =>
      db.insertInto('requests').values({
        id: value('id'),
        run: value('run'),
        kind: value('kind'),
        status: value('status'),
        required: value('required'),
        body: value('body'),
        context: value('context'),
        agent: value('agent'),
        agent_name: value('agent_name'),
        scope: value('scope'),
        key: value('key'),
        content: value('content'),
        asked_by: value('asked_by'),
        host: value('host'),
        timeout: value('timeout'),
        on_timeout: value('on_timeout'),
        deadline: value('deadline'),
        due: value('due'),
        created_at: value('created_at'),
        settled_at: value('settled_at'),
        delivered_at: value('delivered_at'),
        delivered_start: value('delivered_start'),
        used_at: value('used_at'),
        outcome: value('outcome'),
      }),
    ),

    request: prepare<{ id: string }, RequestRow>(value =>
      db.selectFrom('requests').selectAll().where('id', '=', value('id')),
    ),

    status: prepare<{ id: string }, { status: string }>(value =>
      db.selectFrom('requests').select('status').where('id', '=', value('id')),
    ),

    requestByKey: prepare<{ scope: string; key: string }, RequestRow>(value =>
      db.selectFrom('requests').selectAll().where('scope', '=', value('scope')).where('key', '=', value('key')),
    ),

    takenInRun: prepare<{ content: string; start: number }, { taken: number }>(value =>
      db
        .selectFrom('requests')
        .select(eb => eb.fn.countAll<number>().as('taken'))
        .where('content', '=', value('content'))
        .where('run', 'is not', null)
        .where('key', 'is', null)
        .where('status', 'not in', over)
        .where(stillHasItsValue)
        .where('delivered_start', '=', value('start')),
    ),

    nthOfContent: prepare<{ content: string; n: number }, RequestRow>(value =>
      db
        .selectFrom('requests')
        .selectAll()
        .where('content', '=', value('content'))
        .where('run', 'is not', null)
        .where('key', 'is', null)
        .where('status', 'not in', over)
        .where(stillHasItsValue)
        .orderBy('id')
        .limit(one)
        .offset(value('n')),
    ),

    untakenOfContent: prepare<{ content: string; agent: string; since: number }, RequestRow>(value =>
      db
        .selectFrom('requests')
        .selectAll()
        .where('content', '=', value('content'))
        .where('agent_name', '=', value('agent'))
        .where('key', 'is', null)
        .where('status', 'not in', over)
        .where('delivered_at', 'is', null)
        // Not an OR with the status: SQLite would look for both halves by other indexes.
        .where(sql<boolean>`coalesce(settled_at, ${value('since')}) >= ${value('since')}`)
        .orderBy('id')
        .limit(one),
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

    settle: prepare<{ id: string; status: string; at: number; outcome: string }, RequestRow>(value =>
      db
        .updateTable('requests')
        .set({ status: value('status'), settled_at: value('at'), outcome: value('outcome'), due: null })
        .where('id', '=', value('id'))
        .where('status', '=', 'pending')
        .returningAll(),
    ),

    settleDue: prepare<{ id: string; status: string; at: number; outcome: string }, RequestRow>(value =>
      db
        .updateTable('requests')
        .set({ status: value('status'), settled_at: value('at'), outcome: value('outcome'), due: null })
        .where('id', '=', value('id'))
        .where('status', '=', 'pending')
        .where('due', '<=', value('at'))
        .returningAll(),
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

    // With the start of the run that takes it, if there is a run.
    deliver: prepare<{ id: string; at: number }, RequestRow>(value =>
      db
        .updateTable('requests')
        .set(eb => ({
          delivered_at: value('at'),
          delivered_start: eb.selectFrom('runs').select('start').whereRef('runs.id', '=', 'requests.run'),
        }))
        .where('id', '=', value('id'))
        .where('status', '<>', 'pending')
        .where('delivered_at', 'is', null)
        .returningAll(),
    ),

    redeliver: prepare<{ id: string }>(value =>
      db
        .updateTable('requests')
        .set(eb => ({
          delivered_start: eb.selectFrom('runs').select('start').whereRef('runs.id', '=', 'requests.run'),
        }))
        .where('id', '=', value('id'))
        .where('run', 'is not', null),
    ),

    use: prepare<{ id: string; at: number }, RequestRow>(value =>
      db
        .updateTable('requests')
        .set({ used_at: value('at') })
        .where('id', '=', value('id'))
        .where('status', '=', 'answered')
        .where('used_at', 'is', null)
        .returningAll(),
    ),

    pruneRequests: prepare<{ before: number }, { id: string }>(value =>
      db
        .deleteFrom('requests')
        .where('status', '<>', 'pending')
        .where('settled_at', '<', value('before'))
        // A run that goes on may still come for its answers.
        .where(eb => eb.or([eb('run', 'is', null), eb('run', 'not in', runsThatComeBack(db))]))
        .returning('id'),
    ),
  }
}

function eventStatements(db: Kysely<Tables>) {
  return {
    events: prepare<{ after: number; limit: number }, EventRow>(value =>
      db
        .selectFrom('events')
        .selectAll()
        .where('id', '>', value('after'))
        .orderBy('id')
        .limit(upTo(value('limit'))),
    ),

    lastEvent: prepare<object, { last: number }>(() => db.selectFrom('event_counter').select('last')),

    takeNumbers: prepare<{ count: number }, { last: number }>(value =>
      db
        .updateTable('event_counter')
        .set({ last: sql<number>`last + ${value('count')}` })
        .returning('last'),
    ),

    insertEvent: prepare<EventRow>(value =>
      db.insertInto('events').values({
        id: value('id'),
        type: value('type'),
        at: value('at'),
        request: value('request'),
        run: value('run'),
        data: value('data'),
      }),
    ),

    pruneEvents: prepare<{ before: number }, { id: number }>(value =>
      db.deleteFrom('events').where('at', '<', value('before')).returning('id'),
    ),
  }
}

function runStatements(db: Kysely<Tables>) {
  return {
    run: prepare<{ id: string }, RunRow>(value => db.selectFrom('runs').selectAll().where('id', '=', value('id'))),

    runs: prepare<{ limit: number }, RunRow>(value =>
      db
        .selectFrom('runs')
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    activeRuns: prepare<{ limit: number }, RunRow>(value =>
      db
        .selectFrom('runs')
        .selectAll()
        .where('status', 'not in', ended)
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
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
        resume_command: value('resume_command'),
        sleeps: value('sleeps'),
        start: value('start'),
        started_at: value('started_at'),
        ended_at: value('ended_at'),
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
          resume_command: value('resume_command'),
          sleeps: value('sleeps'),
          start: value('start'),
          ended_at: value('ended_at'),
        })
        .where('id', '=', value('id'))
        .where('status', '=', value('seen'))
        .returning('id'),
    ),

    // Changes nothing, and keeps others from changing it until the commit.
    holdRun: prepare<{ id: string }, { id: string }>(value =>
      db
        .updateTable('runs')
        .set({ id: value('id') })
        .where('id', '=', value('id'))
        .where(eb => eb.or([eb('status', 'not in', ended), eb('resume_command', 'is not', null), eb('sleeps', '=', 1)]))
        .returning('id'),
    ),

    pruneRuns: prepare<{ before: number }, { id: string }>(value =>
      db
        .deleteFrom('runs')
        .where('status', 'in', ended)
        .where('ended_at', '<', value('before'))
        .where(
          'id',
          'not in',
          db
            .selectFrom('requests')
            .select('requests.run')
            .where('requests.run', 'is not', null)
            .$castTo<{ run: string }>(),
        )
        .returning('id'),
    ),
  }
}

function secretStatements(db: Kysely<Tables>) {
  return {
    sealed: prepare<{ request: string }, SealedRow>(value =>
      db.selectFrom('sealed').selectAll().where('request', '=', value('request')),
    ),

    anySealed: prepare<object, { request: string }>(() => db.selectFrom('sealed').select('request').limit(one)),

    seal: prepare<SealedRow>(value =>
      db.insertInto('sealed').values({
        request: value('request'),
        run: value('run'),
        bytes: value('bytes'),
        mac: value('mac'),
        fingerprint: value('fingerprint'),
        keep: value('keep'),
      }),
    ),

    unseal: prepare<{ request: string }>(value => db.deleteFrom('sealed').where('request', '=', value('request'))),

    unsealRun: prepare<{ run: string }>(value =>
      db.deleteFrom('sealed').where('run', '=', value('run')).where('keep', '=', 0),
    ),

    pruneSealed: prepare<object>(() =>
      db.deleteFrom('sealed').where('request', 'not in', db.selectFrom('requests').select('requests.id')),
    ),

    meta: prepare<{ name: string }, { value: string }>(value =>
      db.selectFrom('meta').select('value').where('name', '=', value('name')),
    ),

    setMeta: prepare<{ name: string; value: string }>(value =>
      db
        .insertInto('meta')
        .values({ name: value('name'), value: value('value') })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ value: value('value') })),
    ),
  }
}
