import { BeckonError } from '../protocol/errors.ts'
import type { Run } from '../protocol/run.ts'
import { mustEnd } from './desk.ts'
import { readEnvironment } from './environment.ts'
import { runFolder } from './folder.ts'
import { type HeldRun, startHeld } from './held-run.ts'
import { patiently } from './patiently.ts'
import type { Place } from './place.ts'
import { undeliveredOf } from './requests-of-run.ts'
import { fillTemplate, needsSession } from './resume-command.ts'
import type { RunSettings } from './settings.ts'

/**
 * Starts a run again that is asleep: with its answers, by its resume command; or from its beginning, where all that
 * it asks again is answered as before. Of several that would do it at the same time, one does: null for the others.
 */
export async function bringBack(
  place: Place,
  seen: Run,
  settings: RunSettings,
  refused: readonly string[] = [],
): Promise<HeldRun | null> {
  const { hub } = place
  const env = (await readEnvironment(runFolder(place.home, seen.id).path, seen.id, place.safe)) ?? place.env
  const run = await startAgain(place, seen)
  if (run === null) return null
  const answers = await patiently(() => undeliveredOf(hub, run.id))
  const missing = answers.find(mustEnd)
  if (missing) {
    await fail(place, run, 'It needs something that was not provided.')
    return null
  }
  const resume = settings.resume
  if (resume === null) return startHeld(place, { run, settings, command: run.command, env })
  if (needsSession(resume) && run.session === null) {
    await fail(place, run, 'It cannot be resumed: its agent has not said what its session is called.')
    return null
  }
  const command = fillTemplate(resume, { session: run.session, answers, refused })
  return startHeld(place, { run, settings, command, env, given: answers.map(({ id }) => id) })
}

/** The lease: a compare-and-set. */
async function startAgain({ hub }: Place, { id, command, cwd, name }: Run): Promise<Run | null> {
  try {
    return await hub.startRun({ again: id, onlyFrom: 'asleep', command, cwd, name })
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'busy') return null
    throw error
  }
}

async function fail({ hub }: Place, run: Run, reason: string): Promise<void> {
  await patiently(() => hub.changeRun(run.id, { status: 'failed', reason, error: reason }))
}
