import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { CheckpointRow, Tables } from '../schema.ts'
import { compilable } from './settle.ts'
import { ended } from './shared.ts'

// Garbage is looked for without a lock, a window of keys at a time, and deleted between the ends of that window in one
// short transaction that checks every condition again.

export interface Window<Key> {
  before: number
  after: Key
  limit: number
}

export interface Range<Key> {
  before: number
  after: Key
  to: Key
}

export interface WindowRow<Key> {
  /** Null where no row is left. */
  last: Key | null
  /** How many can be deleted. */
  found: number
  /** How many began before the limit of age: keys sort by time, so that a window without any is the last. */
  begun: number
}

type Limited = Range<string> & { limit: number }

export function garbageStatements(db: Kysely<Tables>) {
  return {
    oldRequests: prepare<Window<string>, WindowRow<string>>(value =>
      compilable(
        db,
        sql`with looked as (
            select id, run, status, settled_at, created_at from requests
            where id > ${value('after')} order by id limit ${value('limit')} + 0
          )
          select max(id) as last,
            coalesce(sum(case when ${isOldRequest(value('before'), sql`select looked.run from looked`)} then 1 else 0 end), 0)
              as found,
            coalesce(sum(case when created_at < ${value('before')} then 1 else 0 end), 0) as begun
          from looked`,
      ),
    ),

    deleteOldRequests: prepare<Range<string>, { id: string }>(value => {
      const runs = sql`select near.run from requests as near where ${within('near.id', value)}`
      return compilable(
        db,
        sql`delete from requests where ${within('id', value)} and ${isOldRequest(value('before'), runs)} returning id`,
      )
    }),

    deleteSealedWithout: prepare<Range<string>>(value =>
      compilable(
        db,
        sql`delete from sealed where ${within('sealed.request', value)} and ${isOfNone('requests', 'sealed.request')}`,
      ),
    ),
    // A message is about a request or about a run.
    deleteMessagesWithout: prepare<Range<string>>(value =>
      compilable(
        db,
        sql`delete from outbox where ${within('outbox.subject', value)}
          and ${isOfNone('requests', 'outbox.subject')} and ${isOfNone('runs', 'outbox.subject')}`,
      ),
    ),

    oldRuns: prepare<Window<string>, WindowRow<string>>(value =>
      compilable(
        db,
        sql`with looked as (
            select id, status, started_at, ended_at from runs
            where id > ${value('after')} order by id limit ${value('limit')} + 0
          )
          select max(id) as last,
            coalesce(sum(case when ${isOldRun('looked', value('before'))} then 1 else 0 end), 0) as found,
            coalesce(sum(case when started_at < ${value('before')} then 1 else 0 end), 0) as begun
          from looked`,
      ),
    ),

    deleteOldLogs: prepare<Limited, { run: string }>(value =>
      compilable(
        db,
        sql`delete from run_logs where (run, number) in (
            select piece.run, piece.number from run_logs as piece
            where ${within('piece.run', value)} and ${isOfOldRun('piece', value('before'))}
            order by piece.run, piece.number limit ${value('limit')} + 0
          ) returning run`,
      ),
    ),

    deleteOldCheckpoints: prepare<Limited, CheckpointRow>(value =>
      compilable(
        db,
        sql`delete from checkpoints where id in (
            select taken.id from checkpoints as taken
            where ${within('taken.run', value)} and ${isOfOldRun('taken', value('before'))}
            order by taken.run, taken.id limit ${value('limit')} + 0
          ) returning *`,
      ),
    ),

    deleteOldRuns: prepare<Range<string>, { id: string }>(value =>
      compilable(
        db,
        sql`delete from runs where ${within('id', value)} and ${isOldRun('runs', value('before'))}
            and not exists (select 1 from run_logs where run_logs.run = runs.id)
            and not exists (select 1 from checkpoints where checkpoints.run = runs.id)
          returning id`,
      ),
    ),

    oldEvents: prepare<Window<number>, WindowRow<number>>(value =>
      compilable(
        db,
        sql`with looked as (
            select id, at, request, run from events
            where id > ${value('after')} order by id limit ${value('limit')} + 0
          )
          select max(id) as last,
            coalesce(sum(case when ${isOldEvent('looked', value('before'))} then 1 else 0 end), 0) as found,
            coalesce(sum(case when at < ${value('before')} then 1 else 0 end), 0) as begun
          from looked`,
      ),
    ),

    deleteOldEvents: prepare<Range<number>, { id: number }>(value =>
      compilable(
        db,
        sql`delete from events where ${within('id', value)} and ${isOldEvent('events', value('before'))} returning id`,
      ),
    ),

    // A settled request takes no draft, whatever its age.
    deleteStaleDrafts: prepare<{ limit: number }, { request: string }>(value =>
      compilable(
        db,
        sql`delete from drafts where (request, saved_by) in (
            select stale.request, stale.saved_by from drafts as stale
            where not exists (
              select 1 from requests where requests.id = stale.request and requests.status = 'pending'
            )
            limit ${value('limit')} + 0
          ) returning request`,
      ),
    ),

    // A settled request is not in the inbox, and a snooze that ended long ago hides nothing.
    deleteStaleSnoozes: prepare<{ before: number; limit: number }, { request: string }>(value =>
      compilable(
        db,
        sql`delete from snoozes where (person, request) in (
            select stale.person, stale.request from snoozes as stale
            where stale.until < ${value('before')} or not exists (
              select 1 from requests where requests.id = stale.request and requests.status = 'pending'
            )
            limit ${value('limit')} + 0
          ) returning request`,
      ),
    ),

    // The session of a browser that still gets push messages, or paired a chat, stays: it names the token that these end with.
    deleteOldTokens: prepare<{ before: number; limit: number }, { id: string }>(value =>
      compilable(
        db,
        sql`delete from tokens where id in (
            select past.id from tokens as past
            where (past.revoked_at < ${value('before')} or past.expires_at < ${value('before')})
              and (past.revoked_at is not null
                or not exists (select 1 from targets where targets.token = past.id
                  union all select 1 from pairings where pairings.token = past.id))
            limit ${value('limit')} + 0
          ) returning id`,
      ),
    ),

    deleteKeptWithoutToken: prepare<{ limit: number }, { id: string }>(value =>
      compilable(
        db,
        sql`delete from kept where id in (
            select lost.id from kept as lost
            where lost.token is not null and not exists (select 1 from tokens where tokens.id = lost.token)
            limit ${value('limit')} + 0
          ) returning id`,
      ),
    ),
  }
}

type Ends<Key> = <Name extends 'after' | 'to'>(name: Name) => Range<Key>[Name]

function within<Key>(column: string, value: Ends<Key>) {
  return sql`${sql.ref(column)} > ${value('after')} and ${sql.ref(column)} <= ${value('to')}`
}

/** `runs` are those that the requests in question belong to: each of them is looked at once. */
function isOldRequest(before: number, runs: ReturnType<typeof sql>) {
  return sql`(status <> 'pending' and settled_at < ${before}
    and (run is null or run not in (select runs.id from runs where runs.id in (${runs}) and ${comesBack})))`
}

// A run that goes on may still take its answers; so may one that can be restarted and has an open or undelivered request.
const comesBack = sql`(runs.status not in (${endings()}) or ((runs.resume_command is not null or runs.sleeps = 1)
  and exists (select 1 from requests as rest
    where rest.run = runs.id and (rest.status = 'pending' or rest.delivered_at is null))))`

function isOldRun(table: string, before: number) {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`(${column('status')} in (${endings()}) and ${column('ended_at')} < ${before}
    and not exists (select 1 from requests where requests.run = ${column('id')}))`
}

function isOfOldRun(table: string, before: number) {
  return sql`exists (select 1 from runs where runs.id = ${sql.ref(`${table}.run`)} and ${isOldRun('runs', before)})`
}

/** An event stays as long as the request or the run that it tells of. */
function isOldEvent(table: string, before: number) {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`(${column('at')} < ${before}
    and not exists (select 1 from requests where requests.id = ${column('request')})
    and not exists (select 1 from runs where runs.id = ${column('run')}))`
}

function isOfNone(table: 'requests' | 'runs', column: string) {
  return sql`not exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${sql.ref(column)})`
}

function endings() {
  return sql.join(ended.map(status => sql.lit(status)))
}
