import type { Run } from '../protocol/run.ts'
import { bringBack } from './bring-back.ts'
import { keepEnvironment } from './environment.ts'
import { runFolder } from './folder.ts'
import { type HeldRun, startHeld } from './held-run.ts'
import type { Audience, Ending, Place } from './place.ts'
import { comesBack, type RunSettings } from './settings.ts'
import { putToSleep, untilReady } from './sleep.ts'
import { supervise } from './supervise.ts'

export interface NewRun {
  command: string[]
  name: string | undefined
  cwd: string
  /** The agent's. The run's own name is added to it. */
  env: NodeJS.ProcessEnv
  settings: RunSettings
}

/** Runs an agent, and answers it when it asks, until it ends, sleeps, or we let go of it. */
export async function runAgent(place: Place, start: NewRun, audience: Audience): Promise<Ending> {
  const { command, name, cwd, settings } = start
  const run = await place.hub.startRun({
    command,
    cwd,
    // Until the agent is there: whoever finds the run can see whether we are.
    pid: process.pid,
    ...(name === undefined ? {} : { name }),
    resumeCommand: settings.resume,
    sleeps: settings.sleepAfter !== null,
  })
  const env = await withToken(place, run, start.env)
  const held = await startHeld(place, { run, settings, command, env })
  if (comesBack(settings)) await keepEnvironment(runFolder(place.home, run.id).path, run.id, env, place.safe)
  return goOnWith(place, held, audience)
}

/** Over HTTP the agent has a token of its own: it asks in this run, and does nothing else. */
async function withToken({ hub }: Place, run: Run, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (!env.BECKON_URL) return env
  const { secret } = await hub.createToken({ scope: 'ask', run: run.id })
  return { ...env, BECKON_TOKEN: secret }
}

/** One turn of the agent after the other, as long as it comes back by itself. */
export async function goOnWith(place: Place, first: HeldRun, audience: Audience): Promise<Ending> {
  const { run, settings } = first
  const signal = AbortSignal.any([audience.signal, audience.leave])
  for (let held: HeldRun | null = first; ; ) {
    const ending = await supervise(place, held, audience)
    if (ending.how !== 'waits') return ending
    const next = await untilReady(place.hub, run.id, settings.sleepAfter, signal)
    if (audience.leave.aborted) return { how: 'left' }
    if (next === 'stopped') return stop(place, run)
    const sleeping = await putToSleep(place.hub, run.id)
    if (sleeping.how !== 'asleep' || !sleeping.ready) return sleeping
    held = await bringBack(place, run, settings, ending.refused)
    if (held === null) return endingOf(place, run)
  }
}

/** A person has ended it while no process of it was there. */
async function stop({ hub }: Place, run: Run): Promise<Ending> {
  const { status } = await hub.getRun(run.id)
  if (status !== 'stopped') await hub.changeRun(run.id, { status: 'stopped', exitCode: 130 })
  return { how: 'ended', code: 130 }
}

/** Somebody else brought it back, or it could not be. */
async function endingOf({ hub }: Place, run: Run): Promise<Ending> {
  const { status } = await hub.getRun(run.id)
  return status === 'failed' ? { how: 'ended', code: 1 } : { how: 'left' }
}
