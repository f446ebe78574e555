import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import type { Run } from '../../protocol/run.ts'
import { type HeldRun, startHeld } from '../attached-run.ts'
import { mustEnd } from '../block-requests.ts'
import type { Place } from '../context.ts'
import { readEnvironment } from '../environment.ts'
import { runFolder } from '../folder.ts'
import { undeliveredOf } from '../requests-of-run.ts'
import { patiently } from '../retry.ts'
import type { RunSettings } from '../settings.ts'
import { fillTemplate, needsSession } from '../sleep/resume-command.ts'

/**
 * Starts a run again that is asleep: with its answers, by its resume command; or from its beginning, where all that
 * it asks again is answered as before. Of several that would do it at the same time, one does: null for the others.
 */
export async function bringBack(
  place: Place,
  seen: Run,
  settings: RunSettings,
  { refused = [], from = 'asleep' }: { refused?: readonly string[]; from?: 'asleep' | 'running' } = {},
): Promise<HeldRun | null> {
  const { hub } = place
  const { path } = runFolder(place.home, seen.id)
  const env = (await readEnvironment(path, seen.id, place.safe)) ?? place.env
  // How the start before has ended says nothing of the one that is to come.
  rmSync(join(path, 'exit.json'), { force: true })
  const run = await startAgain(place, seen, from)
  if (run === null) return null
  const answers = await patiently(() => undeliveredOf(hub, run.id))
  const missing = answers.find(mustEnd)
  if (missing) {
    await fail(place, run, 'It needs something that was not provided.')
    return null
  }
  const resume = settings.resume
  const owed = answers.map(({ id }) => id)
  if (resume === null) return startHeld(place, { run, settings, command: run.command, env, owed })
  if (needsSession(resume) && run.session === null) {
    await fail(place, run, 'It cannot be resumed: its agent has not said what its session is called.')
    return null
  }
  const command = fillTemplate(resume, { session: run.session, answers, refused })
  return startHeld(place, { run, settings, command, env, given: owed, owed })
}

/** The lease: a compare-and-set. Whoever looks after a run takes it from where it is. */
async function startAgain({ hub }: Place, { id, command, cwd, name }: Run, onlyFrom: 'asleep' | 'running') {
  try {
    return await hub.runs.start({ again: id, onlyFrom, command, cwd, name })
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'busy') return null
    throw error
  }
}

async function fail({ hub }: Place, run: Run, reason: string): Promise<void> {
  await patiently(() => hub.runs.change(run.id, { status: 'failed', reason, error: reason }))
}
