import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type AskInput,
  BeckonError,
  createTokenSchema,
  type Event,
  type HubApi,
  invalid,
  isForPeople,
  type NewToken,
  type Scope,
  type Token,
  type TokensApi,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { TokenRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Raised } from './ask.ts'
import { newId } from './ids.ts'

// What opens the hub over HTTP. A *token* is a program's, or a person's on another machine. A *session* is a browser's;
// it is opened by spending a *link*, which is good once and for a few minutes, or with a token, and then ends with it.
// Every secret is 256 random bits and only its hash is kept, so there is nothing in the store to sign in with.

/** Somebody who came with a good secret. */
export interface Grant {
  id: string
  kind: 'token' | 'session'
  /** Who that is: the name of the token, or the user who signed in. */
  name: string
  scope: Scope
  run: string | null
  expiresAt: number | null
  /** The hash of what the page of a session has beside its cookie. */
  page: string | null
}

export interface Access {
  /** Null for a secret that is none, has expired or was revoked. */
  identify(secret: string): Promise<Grant | null>
  /** A secret that signs a browser in, once. */
  makeLink(link: { name: string; scope: Scope }): Promise<{ secret: string; expiresAt: number }>
  /** Opens a session by a link or a token; null where the secret is no good. */
  signIn(secret: string, device?: string | null): Promise<{ secret: string; page: string; grant: Grant } | null>
  /** Browsers that are signed in, newest first: this person's own, or for an admin all. */
  sessions(grant: Grant): Promise<Session[]>
  end(id: string): Promise<void>
  noteUse(id: string): Promise<void>
  revokedSince(time: number): Promise<string[]>
  now(): Promise<number>
}

/** A browser that is signed in. */
interface Session {
  id: string
  user: string
  scope: Scope
  /** For example "Firefox on Linux"; null where that was not told. */
  device: string | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  /** The one that asks. */
  current: boolean
}

export interface EventPage {
  events: Event[]
  /** The last event that was looked at, whether or not this guest hears of it: the next page begins after it. */
  last: number
}

/** What a guest of the hub may do and hear is decided here, below every door. */
export interface GuestHub extends HubApi {
  hears(event: Event): boolean | Promise<boolean>
  eventPage(options?: Parameters<HubApi['events']>[0]): Promise<EventPage>
  raiseOrJoin(input: AskInput): Promise<Raised>
}

/** A hub that others come to: each speaks with a voice and with rights of its own. */
export interface SharedHub extends HubApi {
  as(grant: Grant): GuestHub
  access: Access
}

const linkLasts = 15 * 60_000
const sessionLasts = 30 * 86_400_000
const mostTokens = 1_000

export function createAccess(store: Store): { tokens: TokensApi; access: Access } {
  return {
    tokens: {
      create: createToken,
      list: async () => (await store.read(view => view.tokens(mostTokens))).map(showToken),
      revoke: revokeToken,
    },
    access: {
      identify,
      makeLink,
      signIn,
      sessions,
      end: async id => {
        await store.change(tx => revoke(tx, id))
      },
      noteUse: id => store.change(async tx => tx.touchToken(id, await tx.now())),
      revokedSince: time => store.read(view => view.revokedSince(time)),
      now: () => store.read(view => view.now()),
    },
  }

  async function createToken(input: Parameters<TokensApi['create']>[0]): Promise<NewToken> {
    const { scope, run = null, expires, name } = parse(createTokenSchema, input)
    const secret = newSecret(scope)
    const record = await store.change(async tx => {
      if (run !== null && !(await tx.run(run))) throw invalid([{ path: 'run', message: `there is no run ${run}` }])
      const now = await tx.now()
      const token = recordOf('token', secret, now, { scope, run, name: name ?? run ?? scope })
      token.expiresAt = expires ? now + expires : null
      await tx.insertToken(token)
      return token
    })
    return { token: showToken(record), secret }
  }

  async function revokeToken(id: string): Promise<Token> {
    const record = await store.change(async tx => {
      const token = await tx.token(id)
      if (token?.kind !== 'token') return null
      await revoke(tx, id)
      return tx.token(id)
    })
    if (!record) throw new BeckonError('not_found', `There is no token ${id}.`)
    return showToken(record)
  }

  async function identify(secret: string): Promise<Grant | null> {
    const wanted = hashOf(secret)
    const record = await store.read(view => view.tokenByHash(wanted))
    if (!record || record.kind === 'link' || !isSame(record.hash, wanted)) return null
    if (record.revokedAt !== null) return null
    if (record.expiresAt !== null && record.expiresAt <= (await store.read(view => view.now()))) return null
    return grantOf(record)
  }

  async function makeLink({ name, scope }: { name: string; scope: Scope }) {
    const secret = newSecret('link')
    const expiresAt = await store.change(async tx => {
      const now = await tx.now()
      const link = recordOf('link', secret, now, { name, scope })
      await tx.insertToken({ ...link, expiresAt: now + linkLasts })
      return now + linkLasts
    })
    return { secret, expiresAt }
  }

  async function sessions({ id, name, scope }: Grant): Promise<Session[]> {
    const records = await store.read(view => view.sessions(scope === 'admin' ? null : name, mostTokens))
    return records.map(record => showSession(record, id))
  }

  async function signIn(given: string, device: string | null = null) {
    const token = await identify(given)
    if (token && (token.kind !== 'token' || !isForPeople(token.scope))) return null
    const secret = newSecret('session')
    const page = newSecret('page')
    const session = await store.change(async tx => {
      const now = await tx.now()
      const opener = token ?? (await tx.spendLink(hashOf(given), now))
      if (!opener) return null
      const { name, scope } = opener
      const record = recordOf('session', secret, now, {
        name,
        scope,
        device,
        page: hashOf(page),
        parent: token?.id ?? null,
      })
      record.expiresAt = Math.min(now + sessionLasts, token?.expiresAt ?? Number.POSITIVE_INFINITY)
      await tx.insertToken(record)
      return record
    })
    return session && { secret, page, grant: grantOf(session) }
  }
}

/** With the sessions that it opened, and the browsers that were told of what waits. */
async function revoke(tx: Transaction, id: string): Promise<void> {
  for (const ended of await tx.revokeToken(id, await tx.now())) await tx.deleteTargetsOf(ended.id)
}

function recordOf(
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

/** What it is can be read off it, so that one found in the wrong place is known for what it is. */
function newSecret(kind: Scope | 'link' | 'session' | 'page'): string {
  return `beckon_${kind}_${randomBytes(32).toString('base64url')}`
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))
}

/** Whether this is what the page of that session has. */
export function isPageOf({ page }: Grant, secret: string | undefined): boolean {
  return page !== null && secret !== undefined && isSame(page, hashOf(secret))
}

function grantOf({ id, kind, name, scope, run, expiresAt, page }: TokenRecord): Grant {
  return { id, kind: kind === 'session' ? 'session' : 'token', name, scope, run, expiresAt, page }
}

function showSession(record: TokenRecord, asking: string): Session {
  const { createdAt, lastUsedAt, expiresAt } = showToken(record)
  const { id, name: user, scope, device } = record
  return { id, user, scope, device, createdAt, lastUsedAt, expiresAt, current: id === asking }
}

function showToken({ id, name, scope, run, ...times }: TokenRecord): Token {
  const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  return {
    id,
    name,
    scope,
    run,
    createdAt: new Date(times.createdAt).toISOString(),
    expiresAt: iso(times.expiresAt),
    lastUsedAt: iso(times.lastUsedAt),
    revokedAt: iso(times.revokedAt),
  }
}
