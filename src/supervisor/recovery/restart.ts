import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isChanged } from '../../protocol/errors.ts'
import type { Run } from '../../protocol/run.ts'
import { describeMissing } from '../../rules/run-reasons.ts'
import { type AttachedRun, type SpawnOptions, spawnRun } from '../attached-run.ts'
import { isMissingRequirement } from '../block-requests.ts'
import type { SupervisorContext } from '../context.ts'
import { readEnvironment } from '../environment.ts'
import { runFolder } from '../folder.ts'
import { HolderGone } from '../holder/connect.ts'
import { undeliveredRequests, withoutSecrets } from '../requests-of-run.ts'
import { retryWhileUnavailable } from '../retry.ts'
import type { RunSettings } from '../settings.ts'
import { fillTemplate, hasAnswer, needsSession } from '../sleep/resume-command.ts'
import { readRefusals, saveRefusals, whyGivenUp } from '../unreadable-blocks.ts'
import { countAttempt } from './attempts.ts'

const mostTries = 5
const pauseBeforeNextTry = 200

/**
 * Starts a sleeping run again: by its resume command, with its answers; or from its beginning, where everything it asks
 * again is answered as before. Of several processes that try at the same time, one succeeds; the others get null.
 */
export async function restartRun(
  context: SupervisorContext,
  seen: Run,
  settings: RunSettings,
  { from = 'asleep' }: { from?: 'asleep' | 'running' } = {},
): Promise<AttachedRun | null> {
  const { hub } = context
  const { path } = runFolder(context.home, seen.id)
  const env = (await readEnvironment(path, seen.id, context.sealer)) ?? context.env
  // Left by the start before.
  rmSync(join(path, 'exit.json'), { force: true })
  const run = await startAgain(context, seen, from)
  if (run === null) return null
  const answers = await retryWhileUnavailable(() => undeliveredRequests(hub, run.id))
  const missing = answers.find(isMissingRequirement)
  if (missing) return fail(context, run, await withoutSecrets(hub, run.id, describeMissing(missing)))
  const [givenUp] = answers.flatMap(answer => whyGivenUp(answer) ?? [])
  if (givenUp !== undefined) return fail(context, run, await withoutSecrets(hub, run.id, givenUp))
  const { resume } = settings
  const ids = answers.map(({ id }) => id)
  countAttempt(path, ids)
  if (resume === null) return spawnAgain(context, { run, settings, command: run.command, env })
  if (needsSession(resume) && run.session === null) {
    return fail(context, run, 'It cannot be resumed: its agent did not report a session.')
  }
  const { inRow, replies } = readRefusals(path)
  const command = fillTemplate(resume, { session: run.session, answers, refused: replies })
  const answersInCommand = hasAnswer(resume) ? ids : []
  const attached = await spawnAgain(context, { run, settings, command, env, answersInCommand })
  saveRefusals(path, { inRow, replies: [] })
  return attached
}

/** The lease: a compare-and-set from the status that we saw. */
async function startAgain(
  { hub }: SupervisorContext,
  { id, command, cwd, name }: Run,
  onlyFrom: 'asleep' | 'running',
): Promise<Run | null> {
  try {
    return await hub.runs.start({ again: id, onlyFrom, command, cwd, name })
  } catch (error) {
    if (isChanged(error)) return null
    throw error
  }
}

/** What ended a holder may pass, and an agent that may start again may do so once more. */
async function spawnAgain(context: SupervisorContext, options: SpawnOptions): Promise<AttachedRun> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await spawnRun(context, options)
    } catch (error) {
      if (!(error instanceof HolderGone) || tries === mostTries) throw error
      await sleep(tries * pauseBeforeNextTry)
    }
  }
}

async function fail({ hub }: SupervisorContext, run: Run, reason: string): Promise<null> {
  await retryWhileUnavailable(() => hub.runs.change(run.id, { status: 'failed', reason, error: reason }))
  return null
}
