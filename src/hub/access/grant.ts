import type { Scope } from '../../protocol/index.ts'
import type { TokenRecord } from '../../store/records.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { newId } from '../ids.ts'
import { hashOf, isSameHash } from './secrets.ts'

/** What a good secret gives its bearer. */
export interface Grant {
  id: string
  kind: 'token' | 'session'
  /** The name of the token, or the user who signed in. */
  name: string
  scope: Scope
  run: string | null
  expiresAt: number | null
  /** The hash of the secret that the page of a session has beside its cookie. */
  page: string | null
}

/** Null for a secret that is unknown, has expired or was revoked. */
export async function identify(store: Store, secret: string): Promise<Grant | null> {
  const wanted = hashOf(secret)
  const record = await store.read(view => view.tokenByHash(wanted))
  if (!record || record.kind === 'link' || !isSameHash(record.hash, wanted)) return null
  if (record.revokedAt !== null) return null
  if (record.expiresAt !== null && record.expiresAt <= (await store.read(view => view.now()))) return null
  return grantOf(record)
}

export function grantOf({ id, kind, name, scope, run, expiresAt, page }: TokenRecord): Grant {
  return { id, kind: kind === 'session' ? 'session' : 'token', name, scope, run, expiresAt, page }
}

/** Whether this secret belongs to the page of that session. */
export function isPageSecret({ page }: Grant, secret: string | undefined): boolean {
  return page !== null && secret !== undefined && isSameHash(page, hashOf(secret))
}

export function newRecord(
  kind: TokenRecord['kind'],
  secret: string,
  createdAt: number,
  given: Pick<TokenRecord, 'name' | 'scope'> & Partial<TokenRecord>,
): TokenRecord {
  return {
    id: newId('tok', createdAt),
    kind,
    run: null,
    parent: null,
    hash: hashOf(secret),
    createdAt,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    device: null,
    page: null,
    ...given,
  }
}

/** With the sessions that it opened, and the push subscriptions of their browsers. */
export async function revoke(tx: Transaction, id: string): Promise<void> {
  for (const ended of await tx.revokeToken(id, await tx.now())) await tx.deleteTargetsOf(ended.id)
}
