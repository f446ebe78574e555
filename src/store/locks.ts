// Every row that two transactions may both want to change belongs to a lock. A transaction takes all of its locks when it
// begins, in the order of their names, and waits for nobody afterwards: so no two transactions wait for each other.

/** A change needs a lock that its transaction did not begin with. It runs again in one that did. */
export class LockNeeded extends Error {
  readonly locks: readonly string[]
  constructor(locks: readonly string[]) {
    super(`This change needs the locks ${locks.join(', ')}.`)
    this.locks = locks
  }
}

/** A request with its sealed value. JSON makes any id a text for PostgreSQL. */
export const requestLock = (id: string) => `request|${JSON.stringify(id)}`
/** A run. */
export const runLock = (id: string) => id
/** Tokens, links and sessions. Held while one is made or ended, so that nothing is made by what ends at that moment. */
export const accessLock = 'access'
/** Values that people keep. */
export const keptLock = 'kept'
/** Targets, and the messages to them. */
export const outboxLock = 'outbox'
/** Pairings with accounts of chats, their codes, presses of buttons, and who listens to a bot. */
export const chatLock = 'chat'
/** Rules that people made. */
export const rulesLock = 'rules'
/** The key that the store is bound to. */
export const keyLock = 'sealing key'
/** The sums of what happened. */
export const countsLock = 'counts'
/** The row that readiness checks write. */
export const probeLock = 'probe'
/** The index of searches. */
export const searchLock = 'search'
