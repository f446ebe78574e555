import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { MessageRow, RequestRow, Tables } from '../schema.ts'
import { one, upTo } from './shared.ts'

export interface Unannounced {
  target: string
  since: number
  after: string
  limit: number
}

export interface Lease {
  id: string
  seen: number
  until: number
}

export interface Finished {
  id: string
  lease: number
  state: string
  due: number
  at: number | null
  error: string | null
  handle: string | null
}

export function outboxStatements(db: Kysely<Tables>) {
  return {
    // No row back: the message exists already.
    insertMessage: prepare<MessageRow, { id: string }>(value =>
      db
        .insertInto('outbox')
        .values({
          id: value('id'),
          subject: value('subject'),
          target: value('target'),
          occasion: value('occasion'),
          at: value('at'),
          state: value('state'),
          tries: value('tries'),
          due: value('due'),
          created_at: value('created_at'),
          done_at: value('done_at'),
          error: value('error'),
          handle: value('handle'),
        })
        .onConflict(conflict => conflict.columns(['subject', 'target', 'occasion']).doNothing())
        .returning('id'),
    ),

    message: prepare<{ id: string }, MessageRow>(value =>
      db.selectFrom('outbox').selectAll().where('id', '=', value('id')),
    ),

    dueMessages: prepare<{ target: string; now: number; limit: number }, MessageRow>(value =>
      db
        .selectFrom('outbox')
        .selectAll()
        .where('target', '=', value('target'))
        .where('state', '=', sql.lit('waiting'))
        .where('due', '<=', value('now'))
        .orderBy('due')
        .limit(upTo(value('limit'))),
    ),

    nextMessage: prepare<{ target: string }, { due: number }>(value =>
      db
        .selectFrom('outbox')
        .select('due')
        .where('target', '=', value('target'))
        .where('state', '=', sql.lit('waiting'))
        .orderBy('due')
        .limit(one),
    ),

    // What a target has, or may have: a sender may have died between sending a message and recording that.
    toldMessages: prepare<{ subject: string }, MessageRow>(value =>
      db
        .selectFrom('outbox')
        .selectAll()
        .where('subject', '=', value('subject'))
        .where('occasion', '<>', sql.lit('settled'))
        .where(eb =>
          eb.or([eb('state', '=', sql.lit('sent')), eb.and([eb('tries', '>', sql.lit(0)), eb('error', 'is', null)])]),
        )
        .orderBy('id'),
    ),

    // The sender that moves `due` from the value that it saw has the message until then.
    leaseMessage: prepare<Lease, MessageRow>(value =>
      db
        .updateTable('outbox')
        .set({ due: value('until'), tries: sql<number>`tries + 1`, error: null })
        .where('id', '=', value('id'))
        .where('state', '=', 'waiting')
        .where('due', '=', value('seen'))
        .returningAll(),
    ),

    finishMessage: prepare<Finished, { id: string }>(value =>
      db
        .updateTable('outbox')
        .set({
          state: value('state'),
          due: value('due'),
          done_at: value('at'),
          error: value('error'),
          handle: value('handle'),
        })
        .where('id', '=', value('id'))
        .where('state', '=', 'waiting')
        .where('due', '=', value('lease'))
        .returning('id'),
    ),

    // Not those that are being sent right now: their sender records what came of it.
    cancelMessages: prepare<{ subject: string; at: number }, { id: string }>(value =>
      db
        .updateTable('outbox')
        .set({ state: 'cancelled', done_at: value('at') })
        .where('subject', '=', value('subject'))
        .where('state', '=', 'waiting')
        .where('occasion', '<>', sql.lit('settled'))
        // A program hears of everything that it chose, whatever has happened since.
        .where('occasion', 'not like', sql.lit('machine %'))
        .where(eb =>
          eb.not(eb.and([eb('tries', '>', sql.lit(0)), eb('error', 'is', null), eb('due', '>', value('at'))])),
        )
        .returning('id'),
    ),

    // Without a try: the sender that saw `due` moves it.
    postponeMessage: prepare<{ id: string; seen: number; due: number }, { id: string }>(value =>
      db
        .updateTable('outbox')
        .set({ due: value('due') })
        .where('id', '=', value('id'))
        .where('state', '=', 'waiting')
        .where('due', '=', value('seen'))
        .returning('id'),
    ),

    hastenSettled: prepare<{ subject: string; target: string; due: number }, { id: string }>(value =>
      db
        .updateTable('outbox')
        .set({ due: value('due') })
        .where('subject', '=', value('subject'))
        .where('target', '=', value('target'))
        .where('occasion', '=', sql.lit('settled'))
        .where('state', '=', 'waiting')
        .where('tries', '=', sql.lit(0))
        .where('due', '>', value('due'))
        .returning('id'),
    ),

    deleteMessages: prepare<{ target: string }>(value => db.deleteFrom('outbox').where('target', '=', value('target'))),

    // Not those that are for later: after a delay, or after quiet hours.
    waitingMessages: prepare<{ now: number }, { count: number }>(value =>
      db
        .selectFrom('outbox')
        .select(sql<number>`count(*)`.as('count'))
        .where('state', '=', sql.lit('waiting'))
        .where(eb => eb.or([eb('tries', '>', sql.lit(0)), eb('due', '<=', value('now'))])),
    ),

    countMessages: prepare<{ since: number }, { state: string; count: number }>(value =>
      db
        .selectFrom('outbox')
        .select(['state', sql<number>`count(*)`.as('count')])
        .where(eb => eb.or([eb('done_at', 'is', null), eb('done_at', '>=', value('since'))]))
        .groupBy('state'),
    ),

    unannounced: prepare<Unannounced, RequestRow>(value =>
      db
        .selectFrom('requests')
        .selectAll()
        .where('status', '=', sql.lit('pending'))
        .where('created_at', '>=', value('since'))
        .where('id', '>', value('after'))
        .where(eb =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('outbox')
                .select('outbox.id')
                .whereRef('outbox.subject', '=', 'requests.id')
                .where('outbox.target', '=', value('target')),
            ),
          ),
        )
        .orderBy('id')
        .limit(upTo(value('limit'))),
    ),
  }
}
