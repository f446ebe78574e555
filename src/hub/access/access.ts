import { accessLock } from '../../store/locks.ts'
import type { Store } from '../../store/store.ts'
import { type Grant, identify } from './grant.ts'
import { createSessions, type Sessions } from './sessions.ts'

/** Who may call the hub over HTTP, by tokens and sessions. */
export interface Access {
  /** Null for a secret that is unknown, has expired or was revoked. */
  identify(secret: string): Promise<Grant | null>
  sessions: Sessions
  noteUse(id: string): Promise<void>
  /** The ids of tokens and sessions. */
  revokedSince(time: number): Promise<string[]>
  /** By the clock of the store. */
  now(): Promise<number>
}

export function createAccess(store: Store): Access {
  return {
    identify: secret => identify(store, secret),
    sessions: createSessions(store),
    noteUse: id => store.change(async tx => tx.touchToken(id, await tx.now()), accessLock),
    revokedSince: time => store.read(view => view.revokedSince(time)),
    now: () => store.read(view => view.now()),
  }
}
