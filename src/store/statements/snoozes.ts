import type { Kysely } from 'kysely'
import { prepare } from '../prepare.ts'
import type { SnoozeRow, Tables } from '../schema.ts'

export function snoozeStatements(db: Kysely<Tables>) {
  return {
    saveSnooze: prepare<SnoozeRow>(value =>
      db
        .insertInto('snoozes')
        .values({ request: value('request'), person: value('person'), until: value('until') })
        .onConflict(conflict =>
          conflict.columns(['person', 'request']).doUpdateSet(eb => ({ until: eb.ref('excluded.until') })),
        ),
    ),

    deleteSnooze: prepare<{ request: string; person: string }>(value =>
      db.deleteFrom('snoozes').where('request', '=', value('request')).where('person', '=', value('person')),
    ),
  }
}
