import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { Tables } from '../schema.ts'
import { upTo } from './shared.ts'

export function shortIdStatements(db: Kysely<Tables>) {
  return {
    idsEndingWith: {
      request: idsEndingWith(db, 'requests'),
      run: idsEndingWith(db, 'runs'),
      checkpoint: idsEndingWith(db, 'checkpoints'),
    },
  }
}

/** Newest first. An index knows the last three letters: the `tail`. */
function idsEndingWith(db: Kysely<Tables>, table: 'requests' | 'runs' | 'checkpoints') {
  return prepare<{ end: string; tail: string; limit: number }, { id: string }>(value =>
    db
      .selectFrom(table)
      .select('id')
      .where(sql<string>`substr(id, length(id) - 2)`, '=', value('tail'))
      .where(sql<boolean>`substr(id, length(id) - length(${value('end')}) + 1) = ${value('end')}`)
      .orderBy('id', 'desc')
      .limit(upTo(value('limit'))),
  )
}
