import type { Scope } from '../../protocol/index.ts'
import type { TokenRecord } from '../../store/records.ts'
import type { Store, Transaction, View } from '../../store/store.ts'
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
  /** What it ends with; null where it ends by itself. */
  parent: string | null
  /** The hash of the secret that the page of a session has beside its cookie. */
  page: string | null
}

/** Null for a secret that is unknown, has expired or was revoked. */
export function identify(store: Store, secret: string): Promise<Grant | null> {
  return store.read(async view => {
    const record = await findBySecret(view, secret)
    if (!record || record.kind === 'link' || !(await isValid(view, record))) return null
    return grantOf(record)
  })
}

export async function findBySecret(view: View, secret: string): Promise<TokenRecord | null> {
  const wanted = hashOf(secret)
  const record = await view.tokenByHash(wanted)
  return record && isSameHash(record.hash, wanted) ? record : null
}

/** The record that this very call has stored: the commit's acknowledgement was lost, and nobody else has the secret. */
export async function alreadyStored(tx: Transaction, secret: string): Promise<TokenRecord | null> {
  return tx.alreadyCommitted ? findBySecret(tx, secret) : null
}

/** Not revoked and not expired, and neither is what it ends with. */
export async function isValid(view: Pick<View, 'token' | 'now'>, record: TokenRecord): Promise<boolean> {
  if (record.revokedAt !== null) return false
  if (record.expiresAt !== null && record.expiresAt <= (await view.now())) return false
  if (record.parent === null) return true
  const parent = await view.token(record.parent)
  return parent !== null && isValid(view, parent)
}

/**
 * Whether what was set up with this token goes on: messages to a browser, a pairing. A session may expire meanwhile; it
 * ends by signing out, or with the token behind it.
 */
export async function stillCounts(view: Pick<View, 'token' | 'now'>, token: string | null): Promise<boolean> {
  if (token === null) return true
  const record = await view.token(token)
  if (!record) return false
  return isValid(view, record.kind === 'session' ? { ...record, expiresAt: null } : record)
}

export function grantOf({ id, kind, name, scope, run, expiresAt, parent, page }: TokenRecord): Grant {
  return { id, kind: kind === 'session' ? 'session' : 'token', name, scope, run, expiresAt, parent, page }
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
