import { rmSync } from 'node:fs'
import type { Run } from '../../protocol/run.ts'
import { attachRun } from '../attached-run.ts'
import type { SupervisorContext } from '../context.ts'
import { deleteEnvironment } from '../environment.ts'
import { runFolder } from '../folder.ts'
import { socketOf } from '../holder/address.ts'
import { shipRest } from '../log/ship.ts'
import { endAll } from '../processes/processes.ts'
import { isSupervised, readSettings } from '../settings.ts'

const grace = 5_000

/** Ends the processes of a run that was stopped while it had no supervisor. */
export async function endUnattendedRun(context: SupervisorContext, run: Run): Promise<void> {
  const { path } = runFolder(context.home, run.id)
  const settings = readSettings(path)
  if (settings === null || isSupervised(path)) return
  deleteEnvironment(path)
  // Where its holder cannot be trusted, its processes are ended without it.
  const attached = await attachRun(context, run, settings).catch(() => null)
  if (attached && (await attached.link.from(attached.link.hello.from))) {
    await endAll(run.id, { except: [attached.link.hello.holder], grace })
    await attached.link.dismiss()
  } else await endAll(run.id, { grace })
  await shipRest(context, run.id)
  rmSync(socketOf(path), { force: true })
}
