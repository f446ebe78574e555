import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import { hubForRuns } from '../answering/settle.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { describeOutcome } from '../output/describe-outcome.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { logReader } from '../run/log-reader.ts'
import { lookAfterRuns } from '../run/look-after.ts'
import { withHub } from '../with-hub.ts'

interface InboxOptions {
  plain?: boolean
  quiet?: boolean
}

export function registerInbox(program: Command, context: Context): void {
  program
    .command('inbox')
    .summary('See and answer everything that waits')
    .description(
      'Shows every request that waits for you, from all runs, the most dangerous first. New requests appear and ring the bell; requests that are settled elsewhere disappear.',
    )
    .option('--plain', 'print a numbered list, for screen readers, dumb terminals and pipes')
    .option('--quiet', 'do not ring or notify when a request arrives')
    .addHelpText('after', help)
    .action(async (options: InboxOptions) => {
      context.exitCode = await inbox(context, options)
    })
}

async function inbox(context: Context, { plain = false, quiet = false }: InboxOptions): Promise<number> {
  const { stdin, stdout, stderr, env, now } = context
  // One of the two may go to a file; the person sees the other one.
  const output = stderr.isTTY ? stderr : stdout
  if (!plain && !(stdin.isTTY && output.isTTY)) {
    throw new BeckonError(
      'invalid',
      'The inbox needs a terminal. Without one, use "beckon list" or "beckon inbox --plain".',
    )
  }
  const { openInbox } = await import('../../terminal/inbox/open-inbox.ts')
  const { signal, release } = interruption()
  return withHub(context, async hub => {
    await lookAfterRuns(context, hub)
    const terminal = { input: stdin, output, env }
    const said: string[] = []
    const answering = hubForRuns({ env, stderr: { write: text => said.push(text) } }, hub)
    const readLog = await logReader(env, hub)
    await openInbox(terminal, answering, { signal, plain, quiet, now, readLog, describe: describeOutcome })
    // The inbox had the screen.
    for (const text of said) stderr.write(text)
    return exitCodes.fine
  }).finally(release)
}

const help = `
Keys:
  ↑ ↓ j k   move; PgUp PgDn Home End        /         filter by words
  Enter     open, read and answer           f         only a project, agent or kind
  1–9       answer with this option         Space a   select several; all that ask the same
  s         skip an optional request        n         to the next new one
  d         decline with a reason           c         ask the agent back
  l         answer as last time             z Z       snooze; show what is snoozed
  q Esc ^C  quit; requests stay open        r ?       reload; all keys and symbols

Examples:
  beckon inbox
  beckon inbox --quiet            in a corner of the screen
  beckon inbox --plain            with a screen reader`
