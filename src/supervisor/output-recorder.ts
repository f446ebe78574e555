import type { Item } from '../blocks/items.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Run } from '../protocol/run.ts'
import type { BlockRequests } from './block-requests.ts'
import type { Watcher } from './block-watcher.ts'
import type { RunFrontend } from './context.ts'
import type { Output } from './holder/frames.ts'
import type { OpenedSecrets } from './opened-secrets.ts'
import type { Progress } from './progress.ts'
import { createQueue } from './queue.ts'
import { retryWhileUnavailable } from './retry.ts'
import type { IdleTimer } from './sleep/idle-timer.ts'

export interface RecorderOptions {
  hub: HubApi
  run: Run
  frontend: Pick<RunFrontend, 'onOutput'>
  watcher: Watcher
  requests: Pick<BlockRequests, 'handle'>
  progress: Pick<Progress, 'record' | 'advance'>
  openedSecrets: Pick<OpenedSecrets, 'allKnown'>
  idleTimer: Pick<IdleTimer, 'reset'>
  onError: (error: unknown) => void
}

export type Recorder = ReturnType<typeof createRecorder>

/**
 * Takes what the agent prints to the person, into the log, and to the blocks in it. Two queues: output is shown and
 * logged even while a block is being asked, and a block is stored before the output after it is scanned.
 */
export function createRecorder(options: RecorderOptions) {
  const { hub, run, frontend, watcher, requests, progress, openedSecrets, idleTimer, onError } = options
  const recording = createQueue(record, onError)
  const scanning = createQueue(scan, onError)
  return { push: recording.push, tick, drained, finish }

  async function record(output: Output) {
    idleTimer.reset()
    await openedSecrets.allKnown()
    // While a slow reader takes it, it is logged.
    await Promise.all([frontend.onOutput(output.stream, output.bytes), progress.record(output)])
    scanning.push(() => watcher.take(output))
  }

  async function scan(find: () => Item[]) {
    const items = find()
    await saveSession()
    for (const item of items) await requests.handle(item)
    progress.advance({ atOnce: items.length > 0 })
  }

  async function saveSession() {
    const session = watcher.session()
    if (session === null || session === run.session) return
    run.session = session
    await retryWhileUnavailable(() => hub.runs.change(run.id, { session }))
  }

  /** Some blocks end by silence. */
  function tick() {
    if (!recording.isIdle() || !scanning.isIdle()) return
    const items = watcher.tick(performance.now())
    if (items.length > 0) scanning.push(() => items)
  }

  async function drained(): Promise<void> {
    while (!recording.isIdle() || !scanning.isIdle()) {
      await recording.idle()
      await scanning.idle()
    }
  }

  /** The agent has ended: what it left open is complete now. */
  async function finish(): Promise<void> {
    for (const item of watcher.end()) await requests.handle(item)
  }
}
