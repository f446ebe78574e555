import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { BeckonError, type ErrorCode, isTemporary } from '../../protocol/errors.ts'
import type { Run } from '../../protocol/run.ts'
import { shortReason } from '../../rules/run-reasons.ts'
import { createLock } from '../../system/lock-file.ts'
import { isMachineFault } from '../../system/machine-fault.ts'
import type { AttachedRun } from '../attached-run.ts'
import type { Ending, RunFrontend, SupervisorContext } from '../context.ts'
import { retryWhileUnavailable } from '../retry.ts'
import { superviseTurns } from '../run-agent.ts'
import { findAbandonedRuns, isRunOfHome } from './abandoned-runs.ts'
import { endUnattendedRun } from './end-unattended.ts'
import { type Recovered, recoverRun } from './recover-run.ts'
import { recoveryLockFile } from './start-recovery.ts'
import { isLostHere } from './unattended.ts'

export interface RecoveryOptions {
  /** Leaves the runs as they are. */
  signal: AbortSignal
  onRecovered?: (run: Run, how: Recovered['how']) => void
  onEnded?: (run: Run, ending: Ending) => void
}

// How many runs are recovered at a time; those that run already do not count.
const concurrency = 4
const checkEvery = 5_000
const retryAfter = 1_000
// Then a process with other limits, or after a repair, is more likely to succeed.
const maxTries = 3
const storeFaults: readonly ErrorCode[] = ['closed', 'network_fs', 'newer_schema', 'read_only', 'replaced']

/**
 * The recovery process of a machine: takes over runs whose supervisor is gone, and wakes runs whose answers have come,
 * until there is nothing left to do. One per home is enough; resolves to false when there is another.
 */
export async function recoverAll(context: SupervisorContext, options: RecoveryOptions): Promise<boolean> {
  const { hub, home } = context
  const { signal } = options
  const lock = createLock(recoveryLockFile(home))
  if (!lock.take()) return false
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const supervised = new Map<string, Promise<void>>()
  /** Ready to wake, and not ours: their folder is in another home. */
  const skipped = new Set<string>()
  /** Without a process, as far as we see, and not ours to judge. */
  const leftAlone = new Set<string>()
  /** How often in a row the machine or the store kept a run from being recovered. */
  const tries = new Map<string, number>()
  let wake: () => void = () => {}
  let hasNews = true
  let holdsLock = true
  try {
    listen().catch(() => {})
    for (;;) {
      hasNews = false
      await checkRuns()
      if (isOver()) break
      if (hasNews) continue
      if (supervised.size > 0 || (await hasSleepers())) {
        await nextNews()
        continue
      }
      // A process that settles a request after this, or sees that a run has lost its process, starts a recovery process of its
      // own. What happened before shows in the check below.
      lock.release()
      holdsLock = false
      if (!(await hasWork()) || !lock.take()) break
      holdsLock = true
    }
    // Without a home there is nothing to write to, and perhaps no hub: a supervisor would try to reach it for ever.
    if (!isHomeGone()) await Promise.all(supervised.values())
    return true
  } catch (error) {
    if (isOver() && isTemporary(error)) return true
    throw isMachineFault(error) && !(error instanceof BeckonError) ? cannotGoOn(error) : error
  } finally {
    over.abort()
    lock.release()
  }

  /** Told to leave, or the home is gone: then there is no point in waiting for a hub that may be gone with it. */
  function isOver(): boolean {
    return signal.aborted || isHomeGone()
  }

  function isHomeGone(): boolean {
    try {
      return holdsLock && !lock.isMine()
    } catch {
      return false
    }
  }

  function retry<Value>(work: () => Promise<Value>): Promise<Value> {
    return retryWhileUnavailable(work, isOver)
  }

  async function checkRuns() {
    await endLeftovers()
    const found = [...(await awakeRuns()), ...(await readyRuns())].filter(run => !supervised.has(run.id))
    for (let i = 0; i < found.length && !signal.aborted; i += concurrency) {
      await Promise.all(found.slice(i, i + concurrency).map(recover))
    }
  }

  /** Ends processes of runs that have ended: stopped without a supervisor, or with one that was killed just then. */
  async function endLeftovers() {
    for (const id of findAbandonedRuns(home).filter(id => !supervised.has(id) && !signal.aborted)) {
      const run = await hub.runs.get(id).catch(() => null)
      if (run && run.endedAt !== null) await endUnattendedRun(context, run)
    }
  }

  /** The runs of this machine that count as running; their supervisor may be gone. */
  function awakeRuns(): Promise<Run[]> {
    return retry(() => hub.runs.list({ awake: true, host: hostname() }))
  }

  /** The sleeping runs of this machine that have no open request. */
  async function readyRuns(): Promise<Run[]> {
    const runs = await retry(() => hub.runs.list({ ready: true, host: hostname() }))
    return runs.filter(run => !skipped.has(run.id))
  }

  async function hasWork(): Promise<boolean> {
    const isLost = (run: Run) => !leftAlone.has(run.id) && isLostHere(home, run)
    return (await readyRuns()).length > 0 || (await awakeRuns()).some(isLost)
  }

  /** A person who answers them on another machine cannot start a recovery process here. */
  async function hasSleepers(): Promise<boolean> {
    if (!context.shipsLogs) return false
    const runs = await retry(() => hub.runs.list({ active: true, host: hostname() }))
    return runs.some(({ id, status }) => status === 'asleep' && isRunOfHome(home, id))
  }

  async function recover(run: Run) {
    const recovered = await recoverRun(context, run).catch(error => giveUpOrRetry(run, error))
    if (recovered === null) {
      await sleep(retryAfter)
      return notify()
    }
    tries.delete(run.id)
    const isOthers = recovered.how === 'supervised' || recovered.how === 'elsewhere'
    if (isOthers && run.status === 'asleep') skipped.add(run.id)
    if (isOthers && isLostHere(home, run)) leftAlone.add(run.id)
    else leftAlone.delete(run.id)
    if (!isOthers) options.onRecovered?.(run, recovered.how)
    if ('attached' in recovered) superviseRun(recovered.attached)
  }

  /** Null to try later. What the machine or the store lacks is not the fault of a run, whose agent may be alive. */
  function giveUpOrRetry(run: Run, error: unknown): null | Promise<Recovered> {
    if (isTemporary(error)) return null
    const isOfStore = error instanceof BeckonError && storeFaults.includes(error.code)
    if (!isOfStore && !isMachineFault(error)) return giveUp(run, error)
    const tried = (tries.get(run.id) ?? 0) + 1
    tries.set(run.id, tried)
    if (tried >= maxTries && supervised.size === 0) throw cannotGoOn(error)
    return null
  }

  /** A run that cannot be recovered must not keep us from the others. */
  async function giveUp(run: Run, error: unknown): Promise<Recovered> {
    const reason = shortReason(`It cannot be recovered: ${error instanceof Error ? error.message : error}`)
    await hub.runs.change(run.id, { status: 'failed', reason }).catch(() => skipped.add(run.id))
    return { how: 'failed' }
  }

  function superviseRun(attached: AttachedRun) {
    const { run } = attached
    const supervising = superviseTurns(context, attached, headless(signal))
      .then(ending => options.onEnded?.(run, ending))
      .catch(() => {})
      .finally(() => {
        supervised.delete(run.id)
        notify()
      })
    supervised.set(run.id, supervising)
  }

  /** A request was settled, or a run fell asleep: a run may be ready. */
  async function listen() {
    for await (const { type, run } of hub.follow({ signal: until, onGap: notify })) {
      if (run !== null && type !== 'request.created') notify()
    }
  }

  function notify() {
    hasNews = true
    wake()
  }

  async function nextNews(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, checkEvery)
    wake = resolve
    if (hasNews || signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
  }
}

function cannotGoOn(error: unknown): BeckonError {
  const why = error instanceof Error ? error.message : String(error)
  const code = error instanceof BeckonError ? error.code : 'unsupported'
  return new BeckonError(code, `Runs cannot be recovered now, and stay as they are: ${why}`, null, error)
}

/** Nobody is watching: the output is in the log, and the requests are in the hub. */
function headless(leave: AbortSignal): RunFrontend {
  return { onOutput: () => {}, announce: () => {}, print: () => {}, stop: new AbortController().signal, leave }
}
