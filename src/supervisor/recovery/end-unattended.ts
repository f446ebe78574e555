import { rmSync } from 'node:fs'
import type { Run } from '../../protocol/run.ts'
import { attachHeld } from '../attached-run.ts'
import type { Place } from '../context.ts'
import { forgetEnvironment } from '../environment.ts'
import { runFolder } from '../folder.ts'
import { shipRest } from '../log/ship.ts'
import { endAll } from '../processes/processes.ts'
import { isLookedAfter, readSettings } from '../settings.ts'

const grace = 5_000

/** Ends the processes of a run that was stopped while nobody looked after it: its supervisor would have done it. */
export async function endUnattended(place: Place, run: Run): Promise<void> {
  const { path, socket } = runFolder(place.home, run.id)
  const settings = readSettings(path)
  if (settings === null || isLookedAfter(path)) return
  forgetEnvironment(path)
  const held = await attachHeld(place, run, settings)
  if (held && (await held.link.from(held.link.hello.from))) {
    await endAll(run.id, { except: [held.link.hello.holder], grace })
    await held.link.dismiss()
  } else await endAll(run.id, { grace })
  await shipRest(place, run.id)
  rmSync(socket, { force: true })
}
