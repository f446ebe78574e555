import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { SealedRow, Tables } from '../schema.ts'
import { one } from './shared.ts'

export function secretStatements(db: Kysely<Tables>, kind: 'sqlite' | 'postgres') {
  // Waits for nobody: what another transaction is deleting is deleted without us.
  const skipLocked = kind === 'postgres' ? sql`for update skip locked` : sql``
  return {
    sealed: prepare<{ request: string }, SealedRow>(value =>
      db.selectFrom('sealed').selectAll().where('request', '=', value('request')),
    ),

    anySealed: prepare<object, { request: string }>(() => db.selectFrom('sealed').select('request').limit(one)),

    anyKept: prepare<object, { id: string }>(() => db.selectFrom('kept').select('id').limit(one)),

    seal: prepare<SealedRow>(value =>
      db.insertInto('sealed').values({
        request: value('request'),
        run: value('run'),
        bytes: value('bytes'),
        mac: value('mac'),
        fingerprint: value('fingerprint'),
        kept: value('kept'),
      }),
    ),

    unseal: prepare<{ request: string }>(value => db.deleteFrom('sealed').where('request', '=', value('request'))),

    unsealUsed: prepare<{ before: number }>(value =>
      db.deleteFrom('sealed').where(
        'request',
        'in',
        db
          .selectFrom('sealed as used')
          .select('used.request')
          .where('used.run', 'is', null)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('requests')
                .select('requests.id')
                .whereRef('requests.id', '=', 'used.request')
                .where('requests.used_at', '<', value('before')),
            ),
          )
          .modifyEnd(skipLocked),
      ),
    ),

    unsealRun: prepare<{ run: string }>(value => db.deleteFrom('sealed').where('run', '=', value('run'))),

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
