import { hash } from 'node:crypto'
import type { Grant } from '../../hub/access/grant.ts'
import type { RestrictedHub, SharedHub } from '../../hub/shared-hub.ts'

/** A caller with a valid token or session, and the hub with their rights. */
export interface SignedInCaller {
  grant: Grant
  hub: RestrictedHub
  /** Revoked, signed out or expired. */
  ended: boolean
  /** How many of their streams and long polls are open. */
  open: number
  lastSeen: number
}

export interface SignedInCallers {
  identify(secret: string): Promise<SignedInCaller | null>
  /** Ends tokens and sessions at once. What other processes revoke, this server notices within a second. */
  drop(ids: readonly string[]): Promise<void>
  onEnd(listener: (caller: SignedInCaller) => void): void
  close(): void
}

const checkEvery = 1_000
// A revocation is dated when its transaction begins, and seen when it is committed.
const overlap = 10_000
const noteUseEvery = 60_000
const forgetAfter = 600_000
const mostNoted = 10_000

/** Keeps the callers of the last minutes in memory, so that most calls need no look at the store. */
export function createSignedInCallers({ as, access }: SharedHub): SignedInCallers {
  const known = new Map<string, SignedInCaller>()
  const noted = new Map<string, number>()
  const listeners: ((caller: SignedInCaller) => void)[] = []
  let checking: Promise<void> | null = null
  /** By the clock of the store, and by ours: everything revoked before is known. */
  let checkedAt: { store: number; here: number } | null = null
  const timer = setInterval(check, checkEvery)
  timer.unref()
  return { identify, drop, onEnd: listener => listeners.push(listener), close: () => clearInterval(timer) }

  async function identify(secret: string): Promise<SignedInCaller | null> {
    const key = hash('sha256', secret, 'base64url')
    // Not a second later: its expiry needs no look at the store.
    const seen = known.get(key)
    if (seen && hasExpired(seen.grant, storeTime())) end(grant => grant === seen.grant)
    const caller = known.get(key) ?? (await lookUp(key, secret))
    if (!caller) return null
    caller.lastSeen = performance.now()
    noteUse(caller.grant.id)
    return caller
  }

  async function lookUp(key: string, secret: string): Promise<SignedInCaller | null> {
    checkedAt ??= clock(await access.now())
    const grant = await access.identify(secret)
    if (!grant) return null
    const meanwhile = known.get(key)
    if (meanwhile) return meanwhile
    const caller = { grant, hub: as(grant), ended: false, open: 0, lastSeen: performance.now() }
    known.set(key, caller)
    return caller
  }

  /** At most once a minute, and nobody waits for it. */
  function noteUse(id: string) {
    const now = performance.now()
    if (now - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < noteUseEvery) return
    if (noted.size >= mostNoted) noted.clear()
    noted.set(id, now)
    access.noteUse(id).catch(() => {})
  }

  function check(): Promise<void> {
    checking ??= endRevokedAndExpired().finally(() => {
      checking = null
    })
    return checking
  }

  async function endRevokedAndExpired() {
    if (known.size === 0) return
    try {
      const now = await access.now()
      // Since the last check, however long ago: the database may have been away, or this machine asleep.
      const revoked = new Set(await access.revokedSince((checkedAt?.store ?? now) - overlap))
      end(grant => isOf(grant, revoked) || hasExpired(grant, now))
      forgetIdle()
      checkedAt = clock(now)
    } catch {
      // The database is away: meanwhile nobody can read anything from it.
    }
  }

  /** What the clock of the store says now, from when we last looked at it. */
  function storeTime(): number {
    return checkedAt ? checkedAt.store + performance.now() - checkedAt.here : 0
  }

  /** Callers with nothing open; they are looked up again when they come back. */
  function forgetIdle() {
    const since = performance.now() - forgetAfter
    for (const [key, { open, lastSeen }] of known) if (open === 0 && lastSeen < since) known.delete(key)
  }

  async function drop(ids: readonly string[]) {
    const ended = new Set(ids)
    end(grant => isOf(grant, ended))
    // What was made by them ends too; a check that is under way may have read too early to see it.
    await checking
    await check()
  }

  function end(hasEnded: (grant: Grant) => boolean) {
    for (const [key, caller] of known) {
      if (!hasEnded(caller.grant)) continue
      known.delete(key)
      caller.ended = true
      for (const listener of listeners) listener(caller)
    }
  }
}

/** One of these, or what ends with one of these. */
function isOf({ id, parent }: Grant, ended: ReadonlySet<string>): boolean {
  return ended.has(id) || (parent !== null && ended.has(parent))
}

function hasExpired({ expiresAt }: Grant, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

function clock(store: number) {
  return { store, here: performance.now() }
}
