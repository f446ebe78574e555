import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { DependencyRequest } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { runFolder } from './folder.ts'
import { isSupervised } from './settings.ts'

// A command that waits for a value takes it at once; one that left with a ticket may come back much later.
const useTimeout = 500
const checkEvery = 5
const redactTimeout = 10_000

export type OpenedSecrets = ReturnType<typeof createOpenedSecrets>

/**
 * Secrets that a command inside the run opens, such as `beckon need`. The output of the run is held back until they are
 * known, because the log must not contain them.
 */
export function createOpenedSecrets(hub: HubApi, folder: string, addSecret: (value: string) => void) {
  const expected = new Map<string, PromiseWithResolvers<void>>()
  return { onUsed, allKnown }

  /** An answered request may be opened at any moment; a used one has been. */
  async function onUsed(id: string): Promise<void> {
    const request = await hub.get(id)
    if (request.kind !== 'dependency' || !(secretTypes as readonly string[]).includes(request.type)) return
    if (request.usedAt === null) {
      if (request.status === 'answered') expected.set(id, Promise.withResolvers())
      return
    }
    const value = await openAgain(hub, request)
    if (value !== null) addSecret(value)
    markKnown(folder, id)
    expected.get(id)?.resolve()
    expected.delete(id)
  }

  async function allKnown(): Promise<void> {
    for (const [id, { promise }] of expected) {
      await Promise.race([promise, delay(useTimeout)])
      expected.delete(id)
    }
  }
}

/** The value of a used secret; null for a password that was handed over and deleted. */
export async function openAgain(hub: HubApi, { id, type }: DependencyRequest): Promise<string | null> {
  try {
    return (await hub.use(id, { again: true })).value
  } catch (error) {
    if (type === 'password' && error instanceof BeckonError && error.code === 'used') return null
    throw error
  }
}

/**
 * Called by a command that opened a value, before anything can print it: waits until the supervisor of the run redacts
 * it. A run without a supervisor logs nothing, and its next supervisor knows every value that was handed out.
 */
export async function waitUntilRedacted(home: string, run: string, id: string): Promise<void> {
  const { path } = runFolder(home, run)
  const deadline = performance.now() + redactTimeout
  while (!existsSync(markerOf(path, id)) && isSupervised(path) && performance.now() < deadline) await delay(checkEvery)
}

function markKnown(folder: string, id: string): void {
  mkdirSync(join(folder, 'opened'), { recursive: true, mode: 0o700 })
  writeFileSync(markerOf(folder, id), '', { mode: 0o600 })
}

function markerOf(folder: string, id: string): string {
  return join(folder, 'opened', id)
}
