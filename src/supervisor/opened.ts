import { setTimeout as delay } from 'node:timers/promises'
import type { HubApi } from '../protocol/hub.ts'
import { secretTypes } from '../protocol/status.ts'

// A command that waits for a value takes it at once; one that left with a ticket comes back some time.
const patience = 500

/**
 * Secrets that a command inside of the run opens, such as `beckon need`: what the run prints from then on is held back
 * until they are known, for the log must not have them.
 */
export function createOpened(hub: HubApi, addSecret: (value: string) => void) {
  const expected = new Map<string, PromiseWithResolvers<void>>()
  return { hear, known }

  /** Answered: it may be opened in the next moment. Used: it has been. */
  async function hear(id: string): Promise<void> {
    const request = await hub.get(id)
    if (request.kind !== 'dependency' || !(secretTypes as readonly string[]).includes(request.type)) return
    if (request.usedAt === null) {
      if (request.status === 'answered') expected.set(id, Promise.withResolvers())
      return
    }
    const { value } = await hub.use(id, { again: true })
    if (value !== null) addSecret(value)
    expected.get(id)?.resolve()
    expected.delete(id)
  }

  async function known(): Promise<void> {
    for (const [id, { promise }] of expected) {
      await Promise.race([promise, delay(patience)])
      expected.delete(id)
    }
  }
}
