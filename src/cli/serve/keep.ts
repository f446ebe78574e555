import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../server/log.ts'
import type { Store } from '../../store/store.ts'

export interface KeepOptions {
  store: Store
  home: string
  /** How long to keep what is over, in milliseconds. */
  age: number
  log: Log
  signal: AbortSignal
  pauses?: Pauses
}

interface Pauses {
  /** Until the first time: whatever was interrupted by the restart comes first. */
  first: number
  /** Between two looks whether it is due. */
  look: number
  /** Between two times, of all servers together. */
  every: number
}

const hour = 3_600_000
const usualPauses: Pauses = { first: 5_000, look: hour / 12, every: hour }

/** Deletes what is older than the limit, once an hour, while the server runs. Of several servers, one does it. */
export async function keepTidy({ signal, pauses = usualPauses, ...options }: KeepOptions): Promise<void> {
  await sleep(pauses.first, null, { signal }).catch(() => {})
  while (!signal.aborted) {
    try {
      if (await takeTurn(options.store, pauses.every)) await tidy(options, signal)
    } catch (error) {
      if (!signal.aborted) options.log.warn({ error }, 'old requests, events and runs were not deleted')
    }
    await sleep(pauses.look, null, { signal }).catch(() => {})
  }
}

/** A server that dies in its turn is followed by another in the next. */
function takeTurn(store: Store, every: number): Promise<boolean> {
  let taken: number | null = null
  return store.change(async tx => {
    const [now, next] = [await tx.now(), await tx.nextGarbageCollection()]
    // The commit's acknowledgement was lost: the turn is ours already.
    if (tx.alreadyCommitted && taken !== null && next === taken) return true
    // A clock that was set back must not put it off for long.
    if (next !== null && next > now && next <= now + every) return false
    taken = now + every
    await tx.setNextGarbageCollection(taken)
    return true
  }, 'gc turn')
}

async function tidy({ store, home, age, log }: Omit<KeepOptions, 'signal' | 'pauses'>, signal: AbortSignal) {
  const { deleteOld } = await import('../gc/delete-old.ts')
  const warn = (text: string) => log.warn({}, text)
  const { deleted, space } = await deleteOld({ store, home, age, signal, warn })
  log.info({ ...deleted, freed: space.freed }, 'deleted old requests, events and runs')
}
