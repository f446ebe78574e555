import { isForPeople, type Scope, type SignedInBrowser } from '../../protocol/index.ts'
import type { TokenRecord } from '../../store/records.ts'
import type { Store } from '../../store/store.ts'
import { type Grant, grantOf, identify, newRecord, revoke } from './grant.ts'
import { hashOf, newSecret } from './secrets.ts'
import { showToken } from './tokens.ts'

const linkLasts = 15 * 60_000
const sessionLasts = 30 * 86_400_000
const mostSessions = 1_000

export interface Sessions {
  /** Makes a secret that signs a browser in, once. */
  makeLink(link: { name: string; scope: Scope }): Promise<{ secret: string; expiresAt: number }>
  /** Opens a session with a link or a token; null where the secret is not valid. */
  signIn(secret: string, device?: string | null): Promise<{ secret: string; page: string; grant: Grant } | null>
  /** Newest first: this person's own, or for an admin all. */
  list(grant: Grant): Promise<SignedInBrowser[]>
  end(id: string): Promise<void>
}

/**
 * A session belongs to a browser. It is opened by spending a link, which works once and for a few minutes, or with a
 * token, and then ends with that token.
 */
export function createSessions(store: Store): Sessions {
  return { makeLink, signIn, list, end }

  async function makeLink({ name, scope }: { name: string; scope: Scope }) {
    const secret = newSecret('link')
    const expiresAt = await store.change(async tx => {
      const now = await tx.now()
      const link = newRecord('link', secret, now, { name, scope })
      await tx.insertToken({ ...link, expiresAt: now + linkLasts })
      return now + linkLasts
    })
    return { secret, expiresAt }
  }

  async function signIn(given: string, device: string | null = null) {
    const token = await identify(store, given)
    if (token && (token.kind !== 'token' || !isForPeople(token.scope))) return null
    const secret = newSecret('session')
    const page = newSecret('page')
    const session = await store.change(async tx => {
      const now = await tx.now()
      const opener = token ?? (await tx.spendLink(hashOf(given), now))
      if (!opener) return null
      const { name, scope } = opener
      const parent = token?.id ?? null
      const record = newRecord('session', secret, now, { name, scope, device, page: hashOf(page), parent })
      record.expiresAt = Math.min(now + sessionLasts, token?.expiresAt ?? Number.POSITIVE_INFINITY)
      await tx.insertToken(record)
      return record
    })
    return session && { secret, page, grant: grantOf(session) }
  }

  async function list({ id, name, scope }: Grant): Promise<SignedInBrowser[]> {
    const records = await store.read(view => view.sessions(scope === 'admin' ? null : name, mostSessions))
    return records.map(record => showSession(record, id))
  }

  async function end(id: string) {
    await store.change(tx => revoke(tx, id))
  }
}

function showSession(record: TokenRecord, asking: string): SignedInBrowser {
  const { createdAt, lastUsedAt, expiresAt } = showToken(record)
  const { id, name: user, scope, device } = record
  return { id, user, scope, device, createdAt, lastUsedAt, expiresAt, current: id === asking }
}
