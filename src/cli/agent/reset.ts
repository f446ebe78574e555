import { conversationsIn, journalIn } from '../../agent/journal/folder.ts'
import { openJournal } from '../../agent/journal/journal.ts'
import { lockFolder } from '../../agent/journal/lock.ts'
import { deleteWakeCommand } from '../../supervisor/recovery/announced.ts'
import { homeOf } from '../../system/home.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { withHub } from '../with-hub.ts'

/** Closes every conversation of this directory; what they asked is withdrawn. */
export async function reset(context: Context): Promise<number> {
  const home = homeOf(context.env)
  const open = (['agent', 'chat'] as const).flatMap(mode => conversationsIn(home, context.cwd, mode))
  if (open.length === 0) {
    context.stderr.write('There is no conversation in this directory.\n')
    return exitCodes.fine
  }
  return withHub(context, async hub => {
    for (const { folder, run } of open) {
      const unlock = lockFolder(folder)
      const { journal } = openJournal(journalIn(folder))
      journal.append({ type: 'closed' })
      journal.close()
      unlock()
      // Whatever is open in it, in sub-agents too, is withdrawn with the run.
      if (run) await stopRun(run)
    }
    context.stderr.write(`${open.length === 1 ? 'The conversation is' : `${open.length} conversations are`} closed.\n`)
    return exitCodes.fine

    /** A stop withdraws what it asked; where it has ended already, each by itself. */
    async function stopRun(run: string) {
      await hub.runs.change(run, { status: 'stopped', reason }).catch(() => {})
      for (const { id } of (await hub.list({ run })).requests) await hub.cancel(id, { reason })
      deleteWakeCommand(home, run)
    }
  })
}

const reason = 'The conversation was reset'
