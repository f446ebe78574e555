import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { withSafe } from '../with-hub.ts'
import { placeOf } from './context.ts'

/** Looks after what nobody looks after, until there is nothing left. An interruption leaves the runs as they are. */
export async function recoverRuns(context: Context): Promise<number> {
  const { keepRuns } = await import('../../supervisor/recovery/recovery.ts')
  const interrupted = interruption()
  const { stderr } = context
  const isAlone = await withSafe(context, (hub, safe) =>
    keepRuns(placeOf(context, hub, safe), {
      stays: false,
      signal: interrupted.signal,
      onRecovered: ({ id, name }, how) => stderr.write(`beckon: ${id} (${harmlessTitle(name)}): ${how}\n`),
      onEnded: ({ id }, { how }) => stderr.write(`beckon: ${id}: ${how}\n`),
    }),
  ).finally(interrupted.release)
  if (!isAlone) stderr.write('beckon: another process looks after the runs of this machine already.\n')
  return exitCodes.fine
}
