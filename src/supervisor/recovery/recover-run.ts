import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../../protocol/run.ts'
import { attachHeld, type HeldRun } from '../attached-run.ts'
import type { Place } from '../context.ts'
import { runFolder } from '../folder.ts'
import type { Exit } from '../holder/frames.ts'
import { shipRest } from '../log/ship.ts'
import { endAll, identify } from '../processes/processes.ts'
import { undeliveredOf } from '../requests-of-run.ts'
import { patiently } from '../retry.ts'
import { comesBack, isLookedAfter, readSettings, readsAnswers } from '../settings.ts'
import { putToSleep } from '../sleep/sleep.ts'
import { readWakeCommand, wakeAnnounced } from './announced.ts'
import { bringBack } from './restart.ts'

const grace = 2_000

/** What became of a run that was found: taken over, brought back, asleep until it is answered, or at its end. */
export type Recovered =
  | { how: 'attached' | 'brought back'; held: HeldRun }
  | { how: 'looked after' | 'asleep' | 'woken' | 'ended' | 'failed' | 'elsewhere' }

/** Finds out how a run is that is said to be under way, and puts it right. Silence of a person is no reason for anything. */
export async function recoverRun(place: Place, run: Run): Promise<Recovered> {
  const folder = runFolder(place.home, run.id)
  const settings = readSettings(folder.path)
  // Announced by somebody who runs it otherwise, or in another home: not ours to judge while its process is there.
  if (settings === null) {
    if (run.pid !== null && identify(run.pid) !== null) return { how: 'elsewhere' }
    const command = readWakeCommand(place.home, run.id)
    if (command && (run.status === 'asleep' || run.waiting.length > 0)) {
      return { how: await wakeAnnounced(place, run, command) }
    }
    if (run.pid === null || !(await isAnnouncedHere())) return { how: 'elsewhere' }
    return fail('Its process is gone.')
  }
  if (run.status === 'asleep') return wake()
  if (isLookedAfter(folder.path)) return { how: 'looked after' }
  const held = await attachHeld(place, run, settings)
  if (held) return { how: 'attached', held }

  // Its holder is gone, and with it the agent's pipes.
  await endAll(run.id, { grace })
  await shipRest(place, run.id)
  const exit = exitOf(folder.path)
  if (exit) return conclude(exit)
  if (!comesBack(settings)) return fail('Its supervisor and its agent were ended from outside.')
  await putToSleep(place.hub, run.id)
  return wake()

  /** Where a hub is shared, a number that was told over HTTP may be of a container: those who came that way judge it. */
  async function isAnnouncedHere(): Promise<boolean> {
    if (place.overHttp) return true
    const local = await place.hub.runs.list({ active: true, local: true, host: run.host })
    return local.some(({ id }) => id === run.id)
  }

  async function wake(): Promise<Recovered> {
    const { waiting, status } = await place.hub.runs.get(run.id)
    if (status !== 'asleep' || waiting.length > 0 || settings === null) return { how: 'asleep' }
    const woken = await bringBack(place, run, settings)
    return woken ? { how: 'brought back', held: woken } : { how: 'looked after' }
  }

  async function conclude({ code, signal, error }: Exit): Promise<Recovered> {
    const { waiting } = await place.hub.runs.get(run.id)
    const isOwed = waiting.length > 0 || (code !== 0 && (await isOwedAnswers()))
    if (settings && comesBack(settings) && (isOwed || (!readsAnswers(settings) && (await isOwedAnswers())))) {
      await putToSleep(place.hub, run.id)
      return wake()
    }
    if (code !== 0) return fail(error ?? `Its agent ended with ${signal ?? code} while nobody looked after it.`, code)
    await patiently(() => place.hub.runs.change(run.id, { status: 'completed', exitCode: 0 }))
    return { how: 'ended' }
  }

  async function isOwedAnswers(): Promise<boolean> {
    return (await undeliveredOf(place.hub, run.id)).length > 0
  }

  async function fail(reason: string, exitCode: number | null = null): Promise<Recovered> {
    await patiently(() => place.hub.runs.change(run.id, { status: 'failed', reason, exitCode }))
    return { how: 'failed' }
  }
}

function exitOf(folder: string): Exit | null {
  const file = join(folder, 'exit.json')
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
