import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { EventRow, Tables } from '../schema.ts'
import { upTo } from './shared.ts'

export function eventStatements(db: Kysely<Tables>) {
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
  }
}
