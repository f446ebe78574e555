import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { withFileSealer } from '../with-hub.ts'
import { supervisorContext } from './context.ts'

/** Recovers the runs of this machine that have no supervisor, until none is left. An interruption leaves them as they are. */
export async function recoverRuns(context: Context): Promise<number> {
  const { recoverAll } = await import('../../supervisor/recovery/recovery.ts')
  const interrupted = interruption()
  const { stderr } = context
  const isOnly = await withFileSealer(
    context,
    (hub, sealer) =>
      recoverAll(supervisorContext(context, hub, sealer), {
        signal: interrupted.signal,
        onRecovered: ({ id, name }, how) => stderr.write(`beckon: ${id} (${harmlessTitle(name)}): ${how}\n`),
        onEnded: ({ id }, { how }) => stderr.write(`beckon: ${id}: ${how}\n`),
      }),
    // What it could not recover, another one could not either: it starts no successor.
    { wakes: false },
  ).finally(interrupted.release)
  if (!isOnly) stderr.write('beckon: Another process already recovers the runs of this machine.\n')
  return exitCodes.fine
}
