import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { CallbackRow, MessageRow, Tables } from '../schema.ts'
import { compilable } from './settle.ts'
import { upTo } from './shared.ts'

export interface CallbackKey {
  request: string
  mark: string
}

export function callbackStatements(db: Kysely<Tables>) {
  return {
    // The same address again, for the same request, is one callback.
    insertCallback: prepare<CallbackRow>(value =>
      db
        .insertInto('callbacks')
        .values({
          request: value('request'),
          mark: value('mark'),
          host: value('host'),
          token: value('token'),
          asked_by: value('asked_by'),
          bytes: value('bytes'),
          fingerprint: value('fingerprint'),
          queued: value('queued'),
        })
        .onConflict(conflict => conflict.columns(['request', 'mark']).doNothing()),
    ),

    callback: prepare<CallbackKey, CallbackRow>(value =>
      db.selectFrom('callbacks').selectAll().where('request', '=', value('request')).where('mark', '=', value('mark')),
    ),

    callbacksOf: prepare<{ request: string }, { mark: string }>(value =>
      db.selectFrom('callbacks').select('mark').where('request', '=', value('request')),
    ),

    // Of settled requests, not yet in the outbox.
    dueCallbacks: prepare<{ limit: number }, CallbackRow & { settled_at: number }>(value =>
      db
        .selectFrom('callbacks')
        .innerJoin('requests', 'requests.id', 'callbacks.request')
        .selectAll('callbacks')
        .select(sql<number>`requests.settled_at`.as('settled_at'))
        .where('callbacks.queued', '=', sql.lit(0))
        .where('requests.status', '<>', sql.lit('pending'))
        .limit(upTo(value('limit'))),
    ),

    dueCallbacksOf: prepare<{ request: string }, CallbackRow & { settled_at: number }>(value =>
      db
        .selectFrom('callbacks')
        .innerJoin('requests', 'requests.id', 'callbacks.request')
        .selectAll('callbacks')
        .select(sql<number>`requests.settled_at`.as('settled_at'))
        .where('callbacks.request', '=', value('request'))
        .where('callbacks.queued', '=', sql.lit(0))
        .where('requests.status', '<>', sql.lit('pending')),
    ),

    queueCallback: prepare<CallbackKey>(value =>
      db
        .updateTable('callbacks')
        .set({ queued: 1 })
        .where('request', '=', value('request'))
        .where('mark', '=', value('mark')),
    ),

    // Targets with a prefix: `callback:` and a host.
    waitingCallbackHosts: prepare<object, Pick<MessageRow, 'target'>>(() =>
      db
        .selectFrom('outbox')
        .select('target')
        .where('state', '=', sql.lit('waiting'))
        .where('target', 'like', sql.lit('callback:%'))
        .groupBy('target'),
    ),

    deleteLostCallbacks: prepare<{ limit: number }, { request: string }>(value =>
      compilable(
        db,
        sql`delete from callbacks where (request, mark) in (
            select lost.request, lost.mark from callbacks as lost
            where not exists (select 1 from requests where requests.id = lost.request)
            limit ${value('limit')} + 0
          ) returning request`,
      ),
    ),
  }
}
