import type { Scope } from './members.ts'
import { continueAll, endAll, stopAll } from './processes.ts'

export interface RunProcesses {
  /** Stops them while a block waits for its answer. */
  stopForRequest(): Promise<void>
  continueAfterRequest(): Promise<void>
  /** Stops them because a person paused the run. */
  pause(): Promise<void>
  resume(): Promise<void>
  isPaused(): boolean
  /** Continues them whatever stopped them, so that they can end. */
  release(): Promise<void>
  end(): Promise<void>
  kill(): Promise<void>
}

const grace = 5_000

/**
 * The processes of one run. Two things stop them, an open block request and a person's pause, and they continue when
 * neither is left. With `stopsForRequests` false, the agent goes on while it waits.
 */
export function createRunProcesses(run: string, scope: Scope, stopsForRequests: boolean): RunProcesses {
  let isWaiting = false
  let paused = false
  return {
    stopForRequest,
    continueAfterRequest,
    pause,
    resume,
    isPaused: () => paused,
    release: async () => void (await continueAll(run, scope)),
    end: async () => void (await endAll(run, { ...scope, grace })),
    kill: async () => void (await endAll(run, { ...scope, grace: 0 })),
  }

  async function stopForRequest() {
    if (!stopsForRequests) return
    isWaiting = true
    await stopAll(run, scope)
  }

  async function continueAfterRequest() {
    isWaiting = false
    if (stopsForRequests && !paused) await continueAll(run, scope)
  }

  async function pause() {
    paused = true
    await stopAll(run, scope)
  }

  async function resume() {
    paused = false
    if (!isWaiting) await continueAll(run, scope)
  }
}
