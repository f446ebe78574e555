import { BeckonError, type ErrorCode } from '../protocol/index.ts'
import type { Log } from './log.ts'

export interface Readiness {
  /** Null where the store can be read and written, else what is wrong. */
  check(): Promise<ErrorCode | null>
}

interface Options {
  /** Milliseconds that the result of a probe holds. */
  holds?: number
  /** Milliseconds after which a probe has failed. */
  deadline?: number
}

/**
 * Probes the store, once for all who ask and at most every two seconds. Nobody waits longer than the deadline, and while
 * a probe hangs no other one begins: a store that does not answer is not given more to do.
 */
export function createReadiness(
  probe: () => Promise<void>,
  log: Log,
  { holds = 2_000, deadline = 3_000 }: Options = {},
): Readiness {
  let last: { begun: number; result: Promise<ErrorCode | null>; isRunning: boolean } | null = null
  let wasReady = true
  return { check: () => current().result }

  function current() {
    if (!last || (!last.isRunning && performance.now() - last.begun >= holds)) last = begin()
    return last
  }

  function begin() {
    const probing = { begun: performance.now(), result: Promise.resolve<ErrorCode | null>(null), isRunning: true }
    const done = probe()
      .then(() => null)
      .catch((error: unknown) => error)
      .finally(() => {
        probing.isRunning = false
      })
    probing.result = inTime(done).then(report)
    return probing
  }

  async function inTime(done: Promise<unknown>): Promise<unknown> {
    const { promise: late, resolve } = Promise.withResolvers<unknown>()
    const message = `The store did not answer for ${deadline / 1_000} s.`
    const timer = setTimeout(() => resolve(new BeckonError('unreachable', message)), deadline)
    return Promise.race([done, late]).finally(() => clearTimeout(timer))
  }

  /** Logs changes only: this is asked every few seconds. */
  function report(error: unknown): ErrorCode | null {
    const isReady = error === null
    if (wasReady && !isReady) log.error({ error }, 'not ready: the store cannot be read and written')
    if (!wasReady && isReady) log.info({}, 'ready again')
    wasReady = isReady
    if (isReady) return null
    return error instanceof BeckonError ? error.code : 'damaged'
  }
}
