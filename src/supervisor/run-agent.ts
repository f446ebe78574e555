import { BeckonError } from '../protocol/errors.ts'
import type { Run } from '../protocol/run.ts'
import { type HeldRun, startHeld } from './attached-run.ts'
import { keepStart } from './checkpoint/start-checkpoint.ts'
import type { Audience, Ending, Place } from './context.ts'
import { keepEnvironment } from './environment.ts'
import { runFolder } from './folder.ts'
import { bringBack } from './recovery/restart.ts'
import { patiently } from './retry.ts'
import { comesBack, type RunSettings } from './settings.ts'
import { putToSleep, untilReady } from './sleep/sleep.ts'
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
  const run = await place.hub.runs.start({
    command,
    cwd,
    // Until the agent is there: whoever finds the run can see whether we are.
    pid: process.pid,
    ...(name === undefined ? {} : { name }),
    resumeCommand: settings.resume,
    sleeps: settings.sleepAfter !== null,
  })
  const over = new AbortController()
  try {
    return await goOnWith(place, await begin(place, run, start, audience.say, over.signal), audience)
  } finally {
    over.abort()
  }
}

/** What cannot be begun has failed, and is not left as if it were under way. */
async function begin(
  place: Place,
  run: Run,
  { command, env: given, settings }: NewRun,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<HeldRun> {
  try {
    const env = await withToken(place, run, given)
    if (comesBack(settings)) await keepEnvironment(runFolder(place.home, run.id).path, run.id, env, place.safe)
    await keepStart({ hub: place.hub, run, env, say, signal })
    return await startHeld(place, { run, settings, command, env })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await place.hub.runs.change(run.id, { status: 'failed', reason }).catch(() => {})
    if (error instanceof BeckonError) throw error
    throw new BeckonError('unreachable', `The holder of the run cannot be reached: ${reason}`, null, error)
  }
}

/** Over HTTP the agent has a token of its own: it asks in this run, and does nothing else. */
async function withToken({ hub }: Place, run: Run, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (!env.BECKON_URL) return env
  const { secret } = await patiently(() => hub.tokens.create({ scope: 'ask', run: run.id }))
  return { ...env, BECKON_TOKEN: secret }
}

/** One turn of the agent after the other, as long as it comes back by itself. */
export async function goOnWith(place: Place, first: HeldRun, audience: Audience): Promise<Ending> {
  const { run, settings } = first
  const signal = AbortSignal.any([audience.signal, audience.leave])
  for (let held: HeldRun | null = first; ; ) {
    const ending = await supervise(place, held, audience)
    if (ending.how !== 'waits') return ending
    const next = await waitForAnswers(place, run, settings, audience, signal)
    if (audience.leave.aborted) return { how: 'left' }
    if (next === 'stopped') return stop(place, run)
    if (next === 'sleepy') {
      const sleeping = await putToSleep(place.hub, run.id)
      if (sleeping.how !== 'asleep' || !sleeping.ready) return sleeping
    }
    const from = next === 'sleepy' ? 'asleep' : 'running'
    held = await bringBack(place, run, settings, { refused: ending.refused, from })
    if (held === null) return endingOf(place, run)
  }
}

/** Whoever is there is still asked, though no process of the run is. */
async function waitForAnswers(
  { hub }: Place,
  run: Run,
  { sleepAfter }: RunSettings,
  audience: Audience,
  signal: AbortSignal,
): ReturnType<typeof untilReady> {
  const over = new AbortController()
  const { requests } = await patiently(() => hub.list({ run: run.id }))
  for (const request of requests) {
    const settled = new AbortController()
    const until = AbortSignal.any([over.signal, signal])
    hub.wait(request.id, { signal: until }).then(
      () => settled.abort(),
      () => settled.abort(),
    )
    audience.announce(request, AbortSignal.any([settled.signal, until]))
  }
  return untilReady(hub, run.id, sleepAfter, signal).finally(() => over.abort())
}

/** A person has ended it while no process of it was there. */
async function stop({ hub }: Place, run: Run): Promise<Ending> {
  const { status } = await hub.runs.get(run.id)
  if (status !== 'stopped') await hub.runs.change(run.id, { status: 'stopped', exitCode: 130 })
  return { how: 'ended', code: 130 }
}

/** Somebody else brought it back, or it could not be. */
async function endingOf({ hub }: Place, run: Run): Promise<Ending> {
  const { status } = await hub.runs.get(run.id)
  return status === 'failed' ? { how: 'ended', code: 1 } : { how: 'left' }
}
