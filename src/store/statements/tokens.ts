import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { Tables, TokenRow } from '../schema.ts'
import { upTo } from './shared.ts'

export function tokenStatements(db: Kysely<Tables>) {
  return {
    insertToken: prepare<TokenRow>(value =>
      db.insertInto('tokens').values({
        id: value('id'),
        kind: value('kind'),
        name: value('name'),
        scope: value('scope'),
        run: value('run'),
        parent: value('parent'),
        hash: value('hash'),
        created_at: value('created_at'),
        expires_at: value('expires_at'),
        last_used_at: value('last_used_at'),
        revoked_at: value('revoked_at'),
        device: value('device'),
        page: value('page'),
      }),
    ),

    token: prepare<{ id: string }, TokenRow>(value =>
      db.selectFrom('tokens').selectAll().where('id', '=', value('id')),
    ),

    tokenByHash: prepare<{ hash: string }, TokenRow>(value =>
      db.selectFrom('tokens').selectAll().where('hash', '=', value('hash')),
    ),

    tokens: prepare<{ limit: number }, TokenRow>(value =>
      db
        .selectFrom('tokens')
        .selectAll()
        .where('kind', '=', 'token')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    // Of one user, or of all.
    sessions: prepare<{ name: string | null; now: number; limit: number }, TokenRow>(value =>
      db
        .selectFrom('tokens')
        .selectAll()
        .where('kind', '=', 'session')
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', value('now'))
        .where(eb => eb.or([eb('name', '=', value('name')), sql<boolean>`cast(${value('name')} as text) is null`]))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    revokedSince: prepare<{ since: number }, { id: string; revoked_at: number }>(value =>
      db
        .selectFrom('tokens')
        .select(['id', 'revoked_at'])
        .where('revoked_at', '>=', value('since'))
        .$castTo<{ id: string; revoked_at: number }>(),
    ),

    // With everything that ends with it, directly or not, however much that is.
    revokeToken: prepare<{ id: string; at: number }, TokenRow>(value =>
      db
        .withRecursive('ended', query =>
          query
            .selectFrom('tokens')
            .select('tokens.id')
            .where('tokens.id', '=', value('id'))
            .union(query.selectFrom('tokens').innerJoin('ended', 'ended.id', 'tokens.parent').select('tokens.id')),
        )
        .updateTable('tokens')
        .set({ revoked_at: value('at') })
        .where('id', 'in', query => query.selectFrom('ended').select('ended.id'))
        .where('revoked_at', 'is', null)
        .returningAll(),
    ),

    spendLink: prepare<{ hash: string; at: number }, TokenRow>(value =>
      db
        .updateTable('tokens')
        .set({ revoked_at: value('at'), last_used_at: value('at') })
        .where('hash', '=', value('hash'))
        .where('kind', '=', 'link')
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', value('at'))
        .returningAll(),
    ),

    touchToken: prepare<{ id: string; at: number }>(value =>
      db
        .updateTable('tokens')
        .set({ last_used_at: value('at') })
        .where('id', '=', value('id')),
    ),
  }
}
