import type { Request } from '../protocol/request.ts'
import { describeExit, shortReason } from '../rules/run-reasons.ts'
import { titleOf } from '../rules/title.ts'
import type { AttachedRun } from './attached-run.ts'
import type { BlockRequests } from './block-requests.ts'
import type { RunCheckpoints } from './checkpoint/run-checkpoints.ts'
import type { Ending, RunFrontend, SupervisorContext } from './context.ts'
import { deleteEnvironment } from './environment.ts'
import { exitCodeOf, wasCutOff } from './exit-code.ts'
import type { Exit } from './holder/frames.ts'
import type { Shipping } from './log/ship.ts'
import type { RunProcesses } from './processes/run-processes.ts'
import type { Progress } from './progress.ts'
import { exhaustedReason, mayTryAgain } from './recovery/attempts.ts'
import { undeliveredRequests } from './requests-of-run.ts'
import { retryWhileUnavailable } from './retry.ts'
import { canRestart, readsAnswersFromStdin } from './settings.ts'
import { putToSleep } from './sleep/sleep.ts'
import { saveRefusals } from './unreadable-blocks.ts'

export interface Conclusion {
  context: SupervisorContext
  attached: AttachedRun
  frontend: Pick<RunFrontend, 'stop' | 'print'>
  processes: RunProcesses
  requests: Pick<BlockRequests, 'refusals' | 'failure' | 'wasUnread'>
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
  if (mayRestart && (isSleeping || waiting.length > 0 || (await isOwedAnswers(conclusion, exit)))) {
    return isSleeping ? sleep(conclusion) : wait(conclusion, waiting.length > 0 ? exit : null)
  }
  await processes.release()
  const undelivered = mayRestart && code !== 0 ? await undeliveredRequests(hub, run.id) : []
  const known = exhaustedReason(folder.path, undelivered) ?? exit.error ?? failure
  const end = endOf({ exit, known, redact, stop: frontend.stop })
  if (status === 'stopped') print(stopReason ?? 'The run was stopped')
  else if (end.status === 'failed') print(`The run failed: ${end.reason}`)
  const open = await openRequests(conclusion)
  await progress.close({ final: true })
  await link.dismiss()
  await shipping?.finish()
  // A person who stopped the run has set its status already.
  await retryWhileUnavailable(() => hub.runs.change(run.id, { ...(status === 'stopped' ? {} : end), exitCode: code }))
  deleteEnvironment(folder.path)
  const withdrawn = await reportWithdrawn(conclusion, open)
  return { how: 'ended', code: code === 0 && end.status === 'failed' ? 1 : code, withdrawn }
}

type End = { status: 'completed' } | { status: 'failed'; reason: string } | { status: 'stopped'; reason: string | null }

interface EndOptions {
  exit: Exit
  /** What is known beside how the agent ended. */
  known: string | null
  redact: (text: string) => string
  stop: AbortSignal
}

/** Where a person stopped the run at its terminal, the hub knows who. */
function endOf({ exit, known, redact, stop }: EndOptions): End {
  if (stop.aborted) return { status: 'stopped', reason: typeof stop.reason === 'string' ? stop.reason : null }
  if (known === null && exit.code === 0) return { status: 'completed' }
  return { status: 'failed', reason: shortReason(redact(known ?? describeExit(exit))) }
}

async function openRequests({ context, attached }: Conclusion): Promise<Request[]> {
  return (await retryWhileUnavailable(() => context.hub.list({ run: attached.run.id }))).requests
}

/** A person may have a prompt for it open, which has just closed. */
async function reportWithdrawn({ context, frontend }: Conclusion, open: readonly Request[]) {
  const withdrawn: string[] = []
  for (const { id } of open) {
    const request = await retryWhileUnavailable(() => context.hub.get(id))
    if (request.status !== 'orphaned') continue
    withdrawn.push(id)
    const next = 'To let an answer start it again, use --sleep-after or --resume-command.'
    frontend.print(`${id} was withdrawn: "${titleOf(request)}". ${request.outcome?.reason}. ${next}`)
  }
  return withdrawn
}

/** An agent that succeeded without reading its answer did not want it. One that was cut off gets it again. */
async function isOwedAnswers({ context, attached, requests }: Conclusion, exit: Exit): Promise<boolean> {
  const { run, settings, folder } = attached
  const code = exitCodeOf(exit)
  if (readsAnswersFromStdin(settings) && code === 0) return false
  const undelivered = await undeliveredRequests(context.hub, run.id)
  // It asked again, and ended by itself without reading the answer.
  const isUnwanted = code === 0 || (requests.wasUnread() && !wasCutOff(exit))
  return mayTryAgain(folder.path, undelivered, isUnwanted) || requests.refusals().replies.length > 0
}

/** `exit` where a person has to answer before it starts again. */
async function wait(conclusion: Conclusion, exit: Exit | null): Promise<Ending> {
  if (exit !== null && readsAnswersFromStdin(conclusion.attached.settings)) {
    conclusion.print(`${exit.error ?? `${describeExit(exit)} while it asks.`} The answer starts it again.`)
  }
  await leaveHolder(conclusion)
  const { context, attached } = conclusion
  // Whoever looks from another home must not take the run for lost because its process is gone.
  await retryWhileUnavailable(() => context.hub.runs.change(attached.run.id, { pid: null }))
  return { how: 'waits' }
}

async function sleep(conclusion: Conclusion): Promise<Ending> {
  await conclusion.checkpoints.take('sleep')
  await leaveHolder(conclusion)
  return putToSleep(conclusion.context.hub, conclusion.attached.run.id)
}

async function leaveHolder({ attached, processes, requests, progress, shipping }: Conclusion): Promise<void> {
  await processes.end()
  saveRefusals(attached.folder.path, requests.refusals())
  await progress.close()
  await attached.link.dismiss()
  await shipping?.finish()
}
