import { constants } from 'node:os'
import { describeExit, shortReason } from '../rules/run-reasons.ts'
import type { AttachedRun } from './attached-run.ts'
import type { BlockRequests } from './block-requests.ts'
import type { RunCheckpoints } from './checkpoint/run-checkpoints.ts'
import type { Ending, RunFrontend, SupervisorContext } from './context.ts'
import { deleteEnvironment } from './environment.ts'
import type { Exit } from './holder/frames.ts'
import type { Shipping } from './log/ship.ts'
import type { RunProcesses } from './processes/run-processes.ts'
import type { Progress } from './progress.ts'
import { undeliveredRequests } from './requests-of-run.ts'
import { retryWhileUnavailable } from './retry.ts'
import { canRestart, readsAnswersFromStdin } from './settings.ts'
import { putToSleep } from './sleep/sleep.ts'

export interface Conclusion {
  context: SupervisorContext
  attached: AttachedRun
  frontend: Pick<RunFrontend, 'stop'>
  processes: RunProcesses
  requests: Pick<BlockRequests, 'refused' | 'failure'>
  checkpoints: Pick<RunCheckpoints, 'take'>
  progress: Pick<Progress, 'close'>
  shipping: Shipping | null
  /** Whether we ended the agent to put the run to sleep. */
  isSleeping: boolean
  print: (text: string) => void
  /** Removes the run's secrets from a text. */
  redact: (text: string) => string
}

/**
 * The agent has ended: the run ends, waits for answers, or sleeps. The holder is dismissed before the hub hears of it:
 * nobody supervises a run that has ended, so a holder that outlived its run would stay for ever.
 */
export async function conclude(conclusion: Conclusion, exit: Exit): Promise<Ending> {
  const { context, attached, frontend, processes, requests, progress, shipping, isSleeping, print, redact } = conclusion
  const { hub } = context
  const { run, settings, folder, link } = attached
  const { status, waiting, reason: stopReason } = await retryWhileUnavailable(() => hub.runs.get(run.id))
  const code = exitCodeOf(exit)
  const failure = requests.failure()
  const mayRestart = status !== 'stopped' && !frontend.stop.aborted && failure === null && canRestart(settings)
  if (mayRestart && (isSleeping || waiting.length > 0 || (await isOwedAnswers(conclusion, code)))) {
    return isSleeping ? sleep(conclusion) : wait(conclusion)
  }
  await processes.release()
  const end = endOf({ exit, failure, redact, stop: frontend.stop })
  if (status === 'stopped') print(stopReason ?? 'The run was stopped')
  else if (end.status === 'failed') print(`The run failed: ${end.reason}`)
  await progress.close({ final: true })
  await link.dismiss()
  await shipping?.finish()
  // A person who stopped the run has set its status already.
  await retryWhileUnavailable(() => hub.runs.change(run.id, { ...(status === 'stopped' ? {} : end), exitCode: code }))
  deleteEnvironment(folder.path)
  return { how: 'ended', code: code === 0 && end.status === 'failed' ? 1 : code }
}

type End = { status: 'completed' } | { status: 'failed'; reason: string } | { status: 'stopped'; reason: string | null }

interface EndOptions {
  exit: Exit
  failure: string | null
  redact: (text: string) => string
  stop: AbortSignal
}

/** Where a person stopped the run at its terminal, the hub knows who. */
function endOf({ exit, failure, redact, stop }: EndOptions): End {
  if (stop.aborted) return { status: 'stopped', reason: typeof stop.reason === 'string' ? stop.reason : null }
  const known = exit.error ?? failure
  if (known === null && exit.code === 0) return { status: 'completed' }
  return { status: 'failed', reason: shortReason(redact(known ?? describeExit(exit))) }
}

/** An agent that succeeded without reading its answer did not want it. One that was cut off gets it again, once. */
async function isOwedAnswers({ context, attached, requests }: Conclusion, code: number): Promise<boolean> {
  const { run, settings, restartedFor } = attached
  if (readsAnswersFromStdin(settings) && code === 0) return false
  const undelivered = await undeliveredRequests(context.hub, run.id)
  const isNew = undelivered.some(({ id }) => !restartedFor.includes(id))
  return isNew || (requests.refused().length > 0 && restartedFor.length === 0)
}

async function wait(conclusion: Conclusion): Promise<Ending> {
  await leaveHolder(conclusion)
  return { how: 'waits', refused: conclusion.requests.refused() }
}

async function sleep(conclusion: Conclusion): Promise<Ending> {
  await conclusion.checkpoints.take('sleep')
  await leaveHolder(conclusion)
  return putToSleep(conclusion.context.hub, conclusion.attached.run.id)
}

async function leaveHolder({ attached, processes, progress, shipping }: Conclusion): Promise<void> {
  await processes.end()
  await progress.close()
  await attached.link.dismiss()
  await shipping?.finish()
}

/** As a shell reports it. */
function exitCodeOf({ code, signal, error }: Exit): number {
  if (error !== null) return 127
  return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
}
