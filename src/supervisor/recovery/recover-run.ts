import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../../protocol/run.ts'
import { describeExit } from '../../rules/run-reasons.ts'
import { type AttachedRun, attachRun } from '../attached-run.ts'
import type { SupervisorContext } from '../context.ts'
import { exitCodeOf } from '../exit-code.ts'
import { runFolder } from '../folder.ts'
import type { Exit } from '../holder/frames.ts'
import { shipRest } from '../log/ship.ts'
import { endAll } from '../processes/processes.ts'
import { undeliveredRequests } from '../requests-of-run.ts'
import { retryWhileUnavailable } from '../retry.ts'
import { canRestart, isSupervised, type RunSettings, readSettings, readsAnswersFromStdin } from '../settings.ts'
import { putToSleep } from '../sleep/sleep.ts'
import { readRefusals } from '../unreadable-blocks.ts'
import { isRunOfHome } from './abandoned-runs.ts'
import { countAttempt, exhaustedReason, longestPause, mayTryAgain, pauseBeforeAttempt } from './attempts.ts'
import { restartRun } from './restart.ts'
import { hasLostProcess, readWakeCommand, wakeAnnouncedRun } from './wake-command.ts'

const grace = 2_000

/** What became of a run: `attached` and `restarted` are ours to supervise now, `supervised` and `elsewhere` are others'. */
export type Recovered =
  | { how: 'attached' | 'restarted'; attached: AttachedRun }
  | { how: 'supervised' | 'asleep' | 'woken' | 'ended' | 'failed' | 'elsewhere' }

/** Finds out the true state of a run that counts as active, and acts on it. A person's silence never matters here. */
export async function recoverRun(context: SupervisorContext, run: Run): Promise<Recovered> {
  const folder = runFolder(context.home, run.id)
  const settings = readSettings(folder.path)
  if (settings === null) return recoverAnnouncedRun(context, run)
  if (run.status === 'asleep') return wake(context, run, settings)
  if (isSupervised(folder.path)) return { how: 'supervised' }
  const attached = await attachRun(context, run, settings)
  if (attached) return { how: 'attached', attached }

  // The holder is gone, and with it the agent's pipes.
  await endAll(run.id, { grace })
  await shipRest(context, run.id)
  const exit = readExit(folder.path)
  if (exit) return conclude(context, run, settings, exit)
  if (!canRestart(settings)) return fail(context, run, 'Its supervisor and its agent were killed.')
  await putToSleep(context.hub, run.id)
  return wake(context, run, settings)
}

/** Announced by a program that supervises itself, or from another home: not ours to judge while its process is alive. */
async function recoverAnnouncedRun(context: SupervisorContext, run: Run): Promise<Recovered> {
  if (run.pid !== null && !hasLostProcess(context.home, run)) return { how: 'elsewhere' }
  const command = readWakeCommand(context.home, run.id)
  const { path } = runFolder(context.home, run.id)
  const undelivered = command ? await retryWhileUnavailable(() => undeliveredRequests(context.hub, run.id)) : []
  if (command && (run.status === 'asleep' || run.waiting.length > 0)) {
    return { how: await wakeAnnouncedRun(context, run, command) }
  }
  if (command && run.pid !== null && mayTryAgain(path, undelivered, false)) {
    await sleep(pauseBeforeAttempt(path, undelivered))
    countAttempt(
      path,
      undelivered.map(({ id }) => id),
    )
    return { how: await wakeAnnouncedRun(context, run, command) }
  }
  if (run.pid === null || !(await isAnnouncedHere(context, run))) return { how: 'elsewhere' }
  if (!(await staysLost(context, run))) return { how: 'elsewhere' }
  return fail(context, run, exhaustedReason(path, undelivered) ?? 'Its process is gone.')
}

/** A supervisor in another home may be about to conclude the run, or to start its agent again after a pause. */
async function staysLost({ hub, home }: SupervisorContext, run: Run): Promise<boolean> {
  if (isRunOfHome(home, run.id)) return true
  await sleep(longestPause + grace)
  const now = await hub.runs.get(run.id)
  return now.status === run.status && now.pid === run.pid && hasLostProcess(home, now)
}

/** In a shared hub, a pid that came over HTTP may be a container's: only a recovery over HTTP judges it. */
async function isAnnouncedHere({ hub, overHttp }: SupervisorContext, run: Run): Promise<boolean> {
  if (overHttp) return true
  const local = await hub.runs.list({ active: true, local: true, host: run.host })
  return local.some(({ id }) => id === run.id)
}

async function wake(context: SupervisorContext, run: Run, settings: RunSettings): Promise<Recovered> {
  const { waiting, status } = await context.hub.runs.get(run.id)
  if (status !== 'asleep' || waiting.length > 0) return { how: 'asleep' }
  const attached = await restartRun(context, run, settings)
  return attached ? { how: 'restarted', attached } : { how: 'supervised' }
}

/** The agent ended while the run had no supervisor. */
async function conclude(context: SupervisorContext, run: Run, settings: RunSettings, exit: Exit): Promise<Recovered> {
  const { hub } = context
  const { path } = runFolder(context.home, run.id)
  const { waiting } = await hub.runs.get(run.id)
  const code = exitCodeOf(exit)
  const wantsAnswers = code !== 0 || !readsAnswersFromStdin(settings)
  const undelivered = wantsAnswers ? await undeliveredRequests(hub, run.id) : []
  const isOwedErrors = readRefusals(path).replies.length > 0
  const isOwedAnswers = isOwedErrors || mayTryAgain(path, undelivered, code === 0)
  if (canRestart(settings) && (waiting.length > 0 || isOwedAnswers)) {
    await putToSleep(hub, run.id)
    return wake(context, run, settings)
  }
  if (code !== 0) {
    return fail(context, run, exhaustedReason(path, undelivered) ?? exit.error ?? describeExit(exit), code)
  }
  await retryWhileUnavailable(() => hub.runs.change(run.id, { status: 'completed', exitCode: 0 }))
  return { how: 'ended' }
}

async function fail(
  { hub }: SupervisorContext,
  run: Run,
  reason: string,
  exitCode: number | null = null,
): Promise<Recovered> {
  await retryWhileUnavailable(() => hub.runs.change(run.id, { status: 'failed', reason, exitCode }))
  return { how: 'failed' }
}

/** Null where the agent's end was not written down. */
function readExit(folder: string): Exit | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'exit.json'), 'utf8'))
  } catch {
    return null
  }
}
