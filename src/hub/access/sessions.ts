import { BeckonError, isForPeople, type Scope, type SignedInBrowser } from '../../protocol/index.ts'
import { accessLock } from '../../store/locks.ts'
import type { TokenRecord } from '../../store/records.ts'
import type { Store, Transaction, View } from '../../store/store.ts'
import { alreadyStored, findBySecret, type Grant, grantOf, isValid, newRecord } from './grant.ts'
import { revoke, revokeLocks } from './revoke.ts'
import { hashOf, newSecret } from './secrets.ts'
import { showToken } from './tokens.ts'

const linkLasts = 15 * 60_000
/** A phone scans its code at once, and everybody who passes by can see it. */
export const phoneLinkLasts = 5 * 60_000
const sessionLasts = 30 * 86_400_000
const mostSessions = 1_000

interface NewLink {
  name: string
  scope: Scope
  /** The token or session that makes it; left out on the machine of the hub. */
  maker?: string
  /** Milliseconds; a quarter of an hour unless given. */
  lasts?: number
}

export interface Sessions {
  /** Makes a secret that signs a browser in, once. */
  makeLink(link: NewLink): Promise<{ secret: string; expiresAt: number }>
  /** Opens a session with a link or a token; null where the secret is not valid. */
  signIn(secret: string, device?: string | null): Promise<{ secret: string; page: string; grant: Grant } | null>
  /** Newest first: this person's own, or for an admin all. */
  list(grant: Grant): Promise<SignedInBrowser[]>
  /** Ends a session that this person sees; returns the ids of what ended, none where there is no such session. */
  end(grant: Grant, id: string): Promise<string[]>
  /** Ends every other session of this person; returns their ids. */
  endOthers(grant: Grant): Promise<string[]>
}

/**
 * A session belongs to a browser. It is opened with a token, or by spending a link, which works once and for a few
 * minutes. A link ends with the token or session that made it. A session ends with the token behind it: the one that
 * opened it, or that made the link, or that is behind the session that made the link. A link made on the machine of the
 * hub has no token behind it.
 */
export function createSessions(store: Store): Sessions {
  return { makeLink, signIn, list, end, endOthers }

  async function makeLink({ name, scope, maker, lasts = linkLasts }: NewLink) {
    const secret = newSecret('link')
    const expiresAt = await store.change(async tx => {
      const stored = await alreadyStored(tx, secret)
      if (stored?.expiresAt) return stored.expiresAt
      const now = await tx.now()
      const made = await needMaker(tx, maker ?? null)
      const link = newRecord('link', secret, now, { name, scope, parent: made?.id ?? null })
      const expiresAt = Math.min(now + lasts, made?.expiresAt ?? Number.POSITIVE_INFINITY)
      await tx.insertToken({ ...link, expiresAt })
      return expiresAt
    }, accessLock)
    return { secret, expiresAt }
  }

  async function signIn(given: string, device: string | null = null) {
    const secret = newSecret('session')
    const page = newSecret('page')
    const session = await store.change(async tx => {
      // Before the link, which this call has spent.
      const stored = await alreadyStored(tx, secret)
      if (stored) return stored
      const now = await tx.now()
      const opener = await findBySecret(tx, given)
      if (!opener || !opensSessions(opener) || !(await isValid(tx, opener))) return null
      if (opener.kind === 'link' && !(await tx.spendLink(opener.hash, now))) return null
      const token = await tokenBehind(tx, opener)
      const { name, scope } = opener
      const parent = token?.id ?? null
      const record = newRecord('session', secret, now, { name, scope, device, page: hashOf(page), parent })
      record.expiresAt = Math.min(now + sessionLasts, token?.expiresAt ?? Number.POSITIVE_INFINITY)
      await tx.insertToken(record)
      return record
    }, accessLock)
    return session && { secret, page, grant: grantOf(session) }
  }

  async function list(grant: Grant): Promise<SignedInBrowser[]> {
    return store.read(async view => {
      const records = await view.sessions(grant.scope === 'admin' ? null : grant.name, mostSessions)
      const isTheirs = await sessionsOf(view, grant)
      return records.filter(isTheirs).map(record => showSession(record, grant.id))
    })
  }

  function end(grant: Grant, id: string): Promise<string[]> {
    let ended: string[] = []
    return store.change(async tx => {
      if (await hasEnded(tx, ended)) return ended
      const session = await tx.token(id)
      const isTheirs = session?.kind === 'session' && (await sessionsOf(tx, grant))(session)
      ended = isTheirs && (await isValid(tx, session)) ? await revoke(tx, [id], grant.name) : []
      return ended
    }, revokeLocks)
  }

  function endOthers(grant: Grant): Promise<string[]> {
    const { id, name } = grant
    let ended: string[] = []
    return store.change(async tx => {
      if (await hasEnded(tx, ended)) return ended
      ended = []
      const isTheirs = await sessionsOf(tx, grant)
      for (;;) {
        const sessions = (await tx.sessions(name, mostSessions)).filter(isTheirs)
        const others = sessions.map(session => session.id).filter(other => other !== id)
        if (others.length === 0) return ended
        await revoke(tx, others, name)
        ended.push(...others)
      }
    }, revokeLocks)
  }
}

/** The sessions that a person sees: all for an admin, else those of their name with the same token behind them. */
async function sessionsOf(view: View, grant: Grant): Promise<(session: TokenRecord) => boolean> {
  if (grant.scope === 'admin') return () => true
  const own = grant.kind === 'session' ? await view.token(grant.id) : null
  const behind = grant.kind === 'session' ? (own?.parent ?? null) : grant.id
  // A name proves nothing: anyone who creates a token chooses it.
  return ({ name, parent }) => name === grant.name && parent === behind
}

/** The commit's acknowledgement was lost: this call has ended them already. */
async function hasEnded(tx: Transaction, [id]: readonly string[]): Promise<boolean> {
  if (!tx.alreadyCommitted || id === undefined) return false
  return (await tx.token(id))?.revokedAt !== null
}

async function needMaker(tx: Transaction, id: string | null): Promise<TokenRecord | null> {
  const maker = id === null ? null : await tx.token(id)
  if (id === null || (maker && (await isValid(tx, maker)))) return maker
  throw new BeckonError('unauthenticated', 'The token was revoked or has expired.')
}

function opensSessions({ kind, scope }: TokenRecord): boolean {
  return kind === 'link' || (kind === 'token' && isForPeople(scope))
}

async function tokenBehind(tx: Transaction, record: TokenRecord): Promise<TokenRecord | null> {
  if (record.kind === 'token') return record
  const parent = record.parent === null ? null : await tx.token(record.parent)
  return parent && tokenBehind(tx, parent)
}

function showSession(record: TokenRecord, asking: string): SignedInBrowser {
  const { createdAt, lastUsedAt, expiresAt } = showToken(record)
  const { id, name: user, scope, device } = record
  return { id, user, scope, device, createdAt, lastUsedAt, expiresAt, current: id === asking }
}
