import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isTemporary } from '../../protocol/errors.ts'
import type { Run } from '../../protocol/run.ts'
import { createLock } from '../../system/lock-file.ts'
import type { HeldRun } from '../attached-run.ts'
import type { Audience, Ending, Place } from '../context.ts'
import { patiently } from '../retry.ts'
import { goOnWith } from '../run-agent.ts'
import { isOfHome, leftBehind } from './abandoned-runs.ts'
import { endUnattended } from './end-unattended.ts'
import { type Recovered, recoverRun } from './recover-run.ts'

export interface KeeperOptions {
  /** Goes on when there is nothing to do: new ones may come. */
  stays: boolean
  /** Leaves the runs as they are. */
  signal: AbortSignal
  onRecovered?: (run: Run, how: Recovered['how']) => void
  onEnded?: (run: Run, ending: Ending) => void
}

// So many are started at the same time; those that run already do not count.
const atOnce = 4
const lookAgain = 5_000
const tryAgainAfter = 1_000

/**
 * Looks after the runs of this machine that nobody looks after: takes over those whose supervisor is gone, wakes those
 * whose answers have come. One keeper is enough; resolves to false when there is another.
 */
export async function keepRuns(place: Place, options: KeeperOptions): Promise<boolean> {
  const { hub, home } = place
  const { signal, stays } = options
  const lock = createLock(join(home, 'keeper'))
  if (!lock.take()) return false
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const kept = new Map<string, Promise<void>>()
  /** Ready, and not ours to wake: their folder is elsewhere. */
  const passedOver = new Set<string>()
  let wake: () => void = () => {}
  let news = true
  let isOurs = true
  try {
    listen().catch(() => {})
    for (;;) {
      news = false
      await lookAround()
      if (isOver()) break
      if (news) continue
      if (kept.size > 0 || stays || (await hasSleepers())) {
        await nextNews()
        continue
      }
      // Whoever settles something from here on finds no keeper, and starts one; what came before is seen now.
      lock.release()
      isOurs = false
      if ((await ready()).length === 0 || !lock.take()) break
      isOurs = true
    }
    await Promise.all(kept.values())
    return true
  } catch (error) {
    if (isOver() && isTemporary(error)) return true
    throw error
  } finally {
    over.abort()
    lock.release()
  }

  /** Told to leave, or the home that it keeps is gone: then nobody waits for a hub that may be gone with it. */
  function isOver(): boolean {
    return signal.aborted || (isOurs && !lock.isMine())
  }

  function firmly<Value>(work: () => Promise<Value>): Promise<Value> {
    return patiently(work, isOver)
  }

  async function lookAround() {
    await tidyUp()
    const found = [...(await underWay()), ...(await ready())].filter(run => !kept.has(run.id))
    for (let i = 0; i < found.length && !signal.aborted; i += atOnce) {
      await Promise.all(found.slice(i, i + atOnce).map(put))
    }
  }

  /** Processes of runs that have ended: by a stop, while nobody looked after them, or by a supervisor that was killed then. */
  async function tidyUp() {
    for (const id of leftBehind(home).filter(id => !kept.has(id) && !signal.aborted)) {
      const run = await hub.runs.get(id).catch(() => null)
      if (run && run.endedAt !== null) await endUnattended(place, run)
    }
  }

  /** Said to be under way on this machine; their supervisor may be gone at any time. */
  async function underWay(): Promise<Run[]> {
    return firmly(() => hub.runs.list({ awake: true, host: hostname() }))
  }

  async function ready(): Promise<Run[]> {
    const runs = await firmly(() => hub.runs.list({ ready: true, host: hostname() }))
    return runs.filter(run => !passedOver.has(run.id))
  }

  /** Whoever answers them elsewhere cannot start a keeper here. */
  async function hasSleepers(): Promise<boolean> {
    if (!place.ships) return false
    const runs = await firmly(() => hub.runs.list({ active: true, host: hostname() }))
    return runs.some(({ id, status }) => status === 'asleep' && isOfHome(home, id))
  }

  async function put(run: Run) {
    const recovered = await recoverRun(place, run).catch(error => (isTemporary(error) ? null : giveUp(run, error)))
    // The hub is away: it is looked at again.
    if (recovered === null) {
      await sleep(tryAgainAfter)
      return tell()
    }
    if (['looked after', 'elsewhere'].includes(recovered.how) && run.status === 'asleep') passedOver.add(run.id)
    if (!['looked after', 'elsewhere'].includes(recovered.how)) options.onRecovered?.(run, recovered.how)
    if ('held' in recovered) keep(recovered.held)
  }

  /** One that cannot be brought back is no reason to leave the others alone. */
  async function giveUp(run: Run, error: unknown): Promise<Recovered> {
    const reason = `It cannot be brought back: ${error instanceof Error ? error.message : error}`
    await hub.runs.change(run.id, { status: 'failed', reason }).catch(() => passedOver.add(run.id))
    return { how: 'failed' }
  }

  function keep(held: HeldRun) {
    const { run } = held
    const keeping = goOnWith(place, held, audienceOf())
      .then(ending => options.onEnded?.(run, ending))
      .catch(() => {})
      .finally(() => {
        kept.delete(run.id)
        tell()
      })
    kept.set(run.id, keeping)
  }

  /** Nobody is here: what it prints is in its log, and what it asks is in the hub. */
  function audienceOf(): Audience {
    return {
      onOutput: () => {},
      announce: () => {},
      say: () => {},
      signal: new AbortController().signal,
      leave: signal,
    }
  }

  /** Something was settled, or a run fell asleep: one may be ready. */
  async function listen() {
    for await (const { type, run } of hub.follow({ signal: until })) {
      if (run !== null && type !== 'request.created') tell()
    }
  }

  function tell() {
    news = true
    wake()
  }

  async function nextNews(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, lookAgain)
    wake = resolve
    if (news || signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
  }
}
