import { conversationsIn, journalIn } from '../../agent/journal/folder.ts'
import { openJournal } from '../../agent/journal/journal.ts'
import { lockFolder } from '../../agent/journal/lock.ts'
import { deleteWakeCommand } from '../../supervisor/recovery/wake-command.ts'
import { homeOf } from '../../system/home.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { withHub } from '../with-hub.ts'

/** Closes every conversation of this directory, and withdraws their open requests. */
export async function reset(context: Context): Promise<number> {
  const home = homeOf(context.env)
  const open = (['agent', 'chat'] as const).flatMap(mode => conversationsIn(home, context.cwd, mode))
  if (open.length === 0) {
    context.stderr.write('This directory has no conversation.\n')
    return exitCodes.fine
  }
  return withHub(context, async hub => {
    for (const { folder, run } of open) {
      const unlock = lockFolder(folder)
      const { journal } = openJournal(journalIn(folder))
      journal.append({ type: 'closed' })
      journal.close()
      unlock()
      // Stopping the run withdraws its open requests, those of sub-agents too.
      if (run) await stopRun(run)
    }
    context.stderr.write(`Closed ${open.length === 1 ? 'the conversation' : `${open.length} conversations`}.\n`)
    return exitCodes.fine

    /** A run that has already ended cannot be stopped: then each request is withdrawn on its own. */
    async function stopRun(run: string) {
      await hub.runs.change(run, { status: 'stopped', reason }).catch(() => {})
      for (const { id } of (await hub.list({ run })).requests) await hub.cancel(id, { reason })
      deleteWakeCommand(home, run)
    }
  })
}

const reason = 'The conversation was reset'
