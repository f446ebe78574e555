import { once } from 'node:events'
import type { HubApi } from '../protocol/hub.ts'
import type { ChangeRunInput, Run, StartRunInput } from '../protocol/run.ts'
import { shortReason } from '../rules/run-reasons.ts'

/** A conversation as a run of the hub: `beckon runs` lists it, and can pause and stop it. */
export interface AgentRun {
  readonly id: string
  /** Aborts when somebody stops the run. */
  readonly stopped: AbortSignal
  /** Resolves at once, or when a paused run is resumed or stopped, or when the signal aborts. */
  waitWhilePaused(signal: AbortSignal): Promise<void>
  /** `asleep` where a question is open: its answer wakes the run. */
  end(status: 'completed' | 'asleep', exitCode?: number): Promise<void>
  fail(reason: string, exitCode?: number): Promise<void>
}

export async function registerRun(hub: HubApi, input: StartRunInput): Promise<AgentRun> {
  const run = await hub.runs.start(input)
  const stop = new AbortController()
  const watching = new AbortController()
  let paused: PromiseWithResolvers<void> | null = null
  let isOver = false
  const watched = watch().catch(() => {})
  return { id: run.id, stopped: stop.signal, waitWhilePaused, end, fail }

  async function watch() {
    const read = async () => apply(await hub.runs.get(run.id))
    const onGap = () => void read().catch(() => {})
    for await (const { run: id, type } of hub.follow({ signal: watching.signal, onGap })) {
      if (id === run.id && type.startsWith('run.')) await read()
    }
  }

  async function apply({ status }: Run) {
    if (status === 'stopped') stop.abort()
    // Recovery took us for dead while we started.
    if (!isOver && (status === 'failed' || status === 'asleep')) await hub.runs.start({ ...input, again: run.id })
    if (status === 'paused') paused ??= Promise.withResolvers()
    else {
      paused?.resolve()
      paused = null
    }
  }

  async function waitWhilePaused(signal: AbortSignal) {
    if (!paused || signal.aborted) return
    await Promise.race([paused.promise, once(signal, 'abort')])
  }

  function end(status: 'completed' | 'asleep', exitCode?: number) {
    return finish({ status, exitCode })
  }

  function fail(reason: string, exitCode?: number) {
    return finish({ status: 'failed', reason: shortReason(reason), exitCode })
  }

  async function finish(change: ChangeRunInput) {
    isOver = true
    watching.abort()
    await watched
    // A person stopped it meanwhile: it has already ended.
    if (stop.signal.aborted) return
    await hub.runs.change(run.id, change).catch(() => {})
  }
}
