import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { RequestRow, Tables } from '../schema.ts'
import { one, upTo } from './shared.ts'

// Nobody waits for these any more: asking the same again is a new ask.
const abandoned = ['cancelled', 'orphaned']

type IdAndStatus = Pick<RequestRow, 'id' | 'status'>

export function requestStatements(db: Kysely<Tables>) {
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
        session: value('session'),
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
        use_nonce: value('use_nonce'),
        outcome: value('outcome'),
        title: value('title'),
        directory: value('directory'),
        danger: value('danger'),
        alike: value('alike'),
        same_question: value('same_question'),
        detail: value('detail'),
        parts: value('parts'),
        can_reply: value('can_reply'),
        messages: value('messages'),
        attachments: value('attachments'),
      }),
    ),

    request: {
      one: prepare<{ id: string }, RequestRow>(value =>
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
      one: prepare<{ id: string }, IdAndStatus>(value =>
        db.selectFrom('requests').select(['id', 'status']).where('id', '=', value('id')),
      ),
      many: prepare<{ ids: readonly string[] }, IdAndStatus>(value =>
        db
          .selectFrom('requests')
          .select(['id', 'status'])
          .where('id', '=', anyOf(value('ids'))),
      ),
    },

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
        .where('status', 'not in', abandoned)
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
        .where('status', 'not in', abandoned)
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
        .where('status', 'not in', abandoned)
        .where('delivered_at', 'is', null)
        // Not an OR with the status: SQLite would then use another index for each half.
        .where(sql<boolean>`coalesce(settled_at, ${value('since')}) >= ${value('since')}`)
        .orderBy('id')
        .limit(one),
    ),

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
