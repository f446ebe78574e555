import { setTimeout as sleep } from 'node:timers/promises'
import { BeckonError } from '../protocol/errors.ts'
import type { Run } from '../protocol/run.ts'
import { shortReason } from '../rules/run-reasons.ts'
import { isEnd } from '../rules/run-status.ts'
import { type AttachedRun, spawnRun } from './attached-run.ts'
import { takeStartCheckpoint } from './checkpoint/start-checkpoint.ts'
import type { Ending, RunFrontend, SupervisorContext } from './context.ts'
import { saveEnvironment } from './environment.ts'
import { runFolder } from './folder.ts'
import { pauseBeforeAttempt } from './recovery/attempts.ts'
import { restartRun } from './recovery/restart.ts'
import { undeliveredRequests } from './requests-of-run.ts'
import { retryWhileUnavailable } from './retry.ts'
import { canRestart, type RunSettings } from './settings.ts'
import { putToSleep, waitUntilReady } from './sleep/sleep.ts'
import { supervise } from './supervise.ts'

export interface NewRun {
  command: string[]
  name: string | undefined
  cwd: string
  /** The agent's, without the id of its run. */
  env: NodeJS.ProcessEnv
  settings: RunSettings
}

/** Runs an agent, and answers it when it asks, until it ends, sleeps, or we leave it. */
export async function runAgent(context: SupervisorContext, start: NewRun, frontend: RunFrontend): Promise<Ending> {
  const { command, name, cwd, settings } = start
  const run = await context.hub.runs.start({
    command,
    cwd,
    // Ours until the agent has one, so that others can see whether the run has a supervisor.
    pid: process.pid,
    ...(name === undefined ? {} : { name }),
    resumeCommand: settings.resume,
    sleeps: settings.sleepAfter !== null,
  })
  const over = new AbortController()
  try {
    return await superviseTurns(context, await begin(context, run, start, frontend.print, over.signal), frontend)
  } finally {
    over.abort()
  }
}

/** A run whose agent cannot be started has failed. */
async function begin(
  context: SupervisorContext,
  run: Run,
  { command, env: given, settings }: NewRun,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<AttachedRun> {
  try {
    const env = await withToken(context, run, given)
    if (canRestart(settings)) {
      await saveEnvironment(runFolder(context.home, run.id).path, run.id, env, context.sealer)
    }
    await takeStartCheckpoint({ hub: context.hub, run, env, print, signal })
    return await spawnRun(context, { run, settings, command, env })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await context.hub.runs.change(run.id, { status: 'failed', reason: shortReason(reason) }).catch(() => {})
    if (error instanceof BeckonError) throw error
    throw new BeckonError('unreachable', `The holder of the run cannot be reached: ${reason}`, null, error)
  }
}

/** Over HTTP the agent has a token of its own, which can ask in this run and nothing else. */
async function withToken({ hub }: SupervisorContext, run: Run, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (!env.BECKON_URL) return env
  const { secret } = await retryWhileUnavailable(() => hub.tokens.create({ scope: 'ask', run: run.id }))
  return { ...env, BECKON_TOKEN: secret }
}

/** Supervises one turn of the agent after the other: an agent that ended with open requests starts again when they settle. */
export async function superviseTurns(
  context: SupervisorContext,
  first: AttachedRun,
  frontend: RunFrontend,
): Promise<Ending> {
  const { run, settings } = first
  const signal = AbortSignal.any([frontend.stop, frontend.leave])
  for (let attached: AttachedRun | null = first; ; ) {
    const ending = await supervise(context, attached, frontend)
    if (ending.how !== 'waits') return ending
    const next = await waitForAnswers(context, run, settings, frontend, signal)
    if (frontend.leave.aborted) return { how: 'left' }
    if (next === 'stopped') return stop(context, run, frontend)
    if (next === 'idle') {
      const sleeping = await putToSleep(context.hub, run.id)
      if (sleeping.how !== 'asleep' || !sleeping.ready) return sleeping
    }
    if ((await pauseBetweenAttempts(context, run, signal)) === 'stopped') {
      return frontend.leave.aborted ? { how: 'left' } : stop(context, run, frontend)
    }
    const from = next === 'idle' ? 'asleep' : 'running'
    attached = await restartRun(context, run, settings, { from })
    if (attached === null) return endingOf(context, run, frontend)
  }
}

/** An agent that ends before it takes its answer is not started again at once: what ended it may pass. */
async function pauseBetweenAttempts({ hub, home }: SupervisorContext, { id }: Run, signal: AbortSignal) {
  const undelivered = await retryWhileUnavailable(() => undeliveredRequests(hub, id))
  await sleep(pauseBeforeAttempt(runFolder(home, id).path, undelivered), null, { signal }).catch(() => {})
  const { status } = await retryWhileUnavailable(() => hub.runs.get(id))
  return signal.aborted || isEnd(status) ? 'stopped' : 'ready'
}

/** Still announces the open requests, though the run has no process now. */
async function waitForAnswers(
  { hub }: SupervisorContext,
  run: Run,
  { sleepAfter }: RunSettings,
  frontend: RunFrontend,
  signal: AbortSignal,
): ReturnType<typeof waitUntilReady> {
  const over = new AbortController()
  const { requests } = await retryWhileUnavailable(() => hub.list({ run: run.id }))
  for (const request of requests) {
    const settled = new AbortController()
    const until = AbortSignal.any([over.signal, signal])
    hub.wait(request.id, { signal: until }).then(
      () => settled.abort(),
      () => settled.abort(),
    )
    frontend.announce(request, AbortSignal.any([settled.signal, until]))
  }
  return waitUntilReady(hub, run.id, sleepAfter, signal).finally(() => over.abort())
}

/** A person stopped the run while it had no process. */
async function stop(context: SupervisorContext, run: Run, frontend: RunFrontend): Promise<Ending> {
  const { hub } = context
  const { status } = await hub.runs.get(run.id)
  if (status === 'failed' || status === 'completed') return endingOf(context, run, frontend)
  if (status !== 'stopped') await hub.runs.change(run.id, { status: 'stopped', exitCode: 130 })
  return { how: 'ended', code: 130 }
}

/** Another process started the run again, or it could not be started. */
async function endingOf({ hub }: SupervisorContext, run: Run, { print }: RunFrontend): Promise<Ending> {
  const { status, reason } = await hub.runs.get(run.id)
  if (status === 'failed') print(`The run failed: ${reason}`)
  return status === 'failed' ? { how: 'ended', code: 1 } : { how: 'left' }
}
