import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { HubApi } from '../protocol/hub.ts'
import { secretTypes } from '../protocol/status.ts'
import { runFolder } from './folder.ts'
import { isLookedAfter } from './settings.ts'

// A command that waits for a value takes it at once; one that left with a ticket comes back some time.
const patience = 500
const lookEvery = 5
const longest = 10_000

/**
 * Secrets that a command inside of the run opens, such as `beckon need`: what the run prints from then on is held back
 * until they are known, for the log must not have them.
 */
export function createOpened(hub: HubApi, folder: string, addSecret: (value: string) => void) {
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
    tellKnown(folder, id)
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

/**
 * For the command that has opened a value, before anything can print it: until the supervisor of this run knows it. Where
 * there is none at the moment, nothing is logged, and the next one knows what was handed out before it reads on.
 */
export async function untilKnown(home: string, run: string, id: string): Promise<void> {
  const { path } = runFolder(home, run)
  const giveUpAt = performance.now() + longest
  while (!existsSync(markOf(path, id)) && isLookedAfter(path) && performance.now() < giveUpAt) await delay(lookEvery)
}

function tellKnown(folder: string, id: string): void {
  mkdirSync(join(folder, 'opened'), { recursive: true, mode: 0o700 })
  writeFileSync(markOf(folder, id), '', { mode: 0o600 })
}

function markOf(folder: string, id: string): string {
  return join(folder, 'opened', id)
}
