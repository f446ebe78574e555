import { hash } from 'node:crypto'
import type { Grant, GuestHub, SharedHub } from '../../hub/access.ts'

/** Somebody who is let in, and the hub as they have it. */
export interface Visitor {
  grant: Grant
  hub: GuestHub
  /** No longer let in: revoked, signed out or expired. */
  ended: boolean
  /** How many streams and waits of theirs are open. */
  open: number
  lastSeen: number
}

export interface Visitors {
  identify(secret: string): Promise<Visitor | null>
  /** At once, where this very server is told; what others revoke is noticed within a second. */
  drop(id: string): Promise<void>
  onEnd(listener: (visitor: Visitor) => void): void
  close(): void
}

const checkEvery = 1_000
// A revocation is dated when its transaction begins, and seen when it is committed.
const overlap = 10_000
const noteUseEvery = 60_000
const forgetAfter = 600_000
const mostNoted = 10_000

/** Keeps who was let in at hand, so that a call need not look that up. */
export function createVisitors({ as, access }: SharedHub): Visitors {
  const known = new Map<string, Visitor>()
  const noted = new Map<string, number>()
  const listeners: ((visitor: Visitor) => void)[] = []
  let checking: Promise<void> | null = null
  /** By the clock of the store: what was revoked before is known. */
  let checkedAt: number | null = null
  const timer = setInterval(check, checkEvery)
  timer.unref()
  return { identify, drop, onEnd: listener => listeners.push(listener), close: () => clearInterval(timer) }

  async function identify(secret: string): Promise<Visitor | null> {
    const key = hash('sha256', secret, 'base64url')
    const visitor = known.get(key) ?? (await lookUp(key, secret))
    if (!visitor) return null
    visitor.lastSeen = performance.now()
    noteUse(visitor.grant.id)
    return visitor
  }

  async function lookUp(key: string, secret: string): Promise<Visitor | null> {
    checkedAt ??= await access.now()
    const grant = await access.identify(secret)
    if (!grant) return null
    const meanwhile = known.get(key)
    if (meanwhile) return meanwhile
    const visitor = { grant, hub: as(grant), ended: false, open: 0, lastSeen: performance.now() }
    known.set(key, visitor)
    return visitor
  }

  /** Seldom, and nobody waits for it. */
  function noteUse(id: string) {
    const now = performance.now()
    if (now - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < noteUseEvery) return
    if (noted.size >= mostNoted) noted.clear()
    noted.set(id, now)
    access.noteUse(id).catch(() => {})
  }

  function check(): Promise<void> {
    checking ??= endThoseOver().finally(() => {
      checking = null
    })
    return checking
  }

  async function endThoseOver() {
    if (known.size === 0) return
    try {
      const now = await access.now()
      // However long ago that was: the database may have been away, or this machine asleep.
      const revoked = new Set(await access.revokedSince((checkedAt ?? now) - overlap))
      end(({ id, expiresAt }) => revoked.has(id) || (expiresAt !== null && expiresAt <= now))
      forgetUnseen()
      checkedAt = now
    } catch {
      // The database is away: nobody gets anything out of it meanwhile.
    }
  }

  /** Those who have nothing open; they are looked up again when they come back. */
  function forgetUnseen() {
    const since = performance.now() - forgetAfter
    for (const [key, { open, lastSeen }] of known) if (open === 0 && lastSeen < since) known.delete(key)
  }

  async function drop(id: string) {
    end(grant => grant.id === id)
    // And the sessions that were opened with it; a look that is under way may have come too early for them.
    await checking
    await check()
  }

  function end(isOver: (grant: Grant) => boolean) {
    for (const [key, visitor] of known) {
      if (!isOver(visitor.grant)) continue
      known.delete(key)
      visitor.ended = true
      for (const listener of listeners) listener(visitor)
    }
  }
}
