import type { Event } from '../protocol/event.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Run } from '../protocol/run.ts'
import type { BlockRequests } from './block-requests.ts'
import type { RunCheckpoints } from './checkpoint/run-checkpoints.ts'
import { followRun } from './follow-run.ts'
import type { OpenedSecrets } from './opened-secrets.ts'
import type { RunProcesses } from './processes/run-processes.ts'
import { retryWhileUnavailable } from './retry.ts'
import type { IdleTimer } from './sleep/idle-timer.ts'

export interface ControlOptions {
  hub: HubApi
  run: Run
  /** The agent's; null when it could not be started. */
  pid: number | null
  processes: RunProcesses
  requests: Pick<BlockRequests, 'isWaiting' | 'close' | 'onSignOfLife'>
  checkpoints: Pick<RunCheckpoints, 'take'>
  openedSecrets: Pick<OpenedSecrets, 'onUsed'>
  idleTimer: Pick<IdleTimer, 'hasExpired'>
  signal: AbortSignal
  /** The run cannot be followed any more. */
  onError: (error: unknown) => void
}

/** Pause, resume and stop are rows that anybody may write, from anywhere; this applies them. It also puts the run to sleep. */
export function createControl(options: ControlOptions) {
  const { hub, run, pid, processes, requests, checkpoints, openedSecrets, idleTimer, signal, onError } = options
  let sleeping = false
  return { begin, tick, isSleeping: () => sleeping }

  async function begin(): Promise<void> {
    const { status } = await retryWhileUnavailable(() => hub.runs.change(run.id, pid === null ? {} : { pid }))
    // Perhaps a person paused it while it had no supervisor.
    if (status === 'paused') await processes.pause()
    followRun(hub, run.id, signal, onEvent).catch(onError)
  }

  async function onEvent(event: Event | null) {
    const { type = 'run.', request = null } = event ?? {}
    if (type.startsWith('run.')) await apply((await retryWhileUnavailable(() => hub.runs.get(run.id))).status)
    // It asks by a command: a new request, or one that it had asked before.
    if (['request.created', 'request.delivered'].includes(type)) requests.onSignOfLife()
    if (request !== null && ['request.answered', 'request.used'].includes(type)) await openedSecrets.onUsed(request)
  }

  async function apply(status: Run['status']) {
    if (status === 'stopped') end()
    if (status === 'paused' && !processes.isPaused()) {
      await processes.pause()
      await checkpoints.take('pause')
    }
    if (status === 'running' && processes.isPaused()) await processes.resume()
  }

  function tick() {
    idleTimer.hasExpired(requests.isWaiting()).then(
      expired => expired && fallAsleep(),
      () => {},
    )
  }

  /** Ends the process. The run counts as asleep only once it has ended, so that nobody wakes it before. */
  function fallAsleep() {
    if (sleeping || processes.isPaused()) return
    sleeping = true
    requests.close()
    end()
  }

  function end() {
    processes.end().catch(() => {})
  }
}
