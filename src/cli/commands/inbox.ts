import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { describeOutcome } from '../output/describe-outcome.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { withHub } from '../with-hub.ts'

interface InboxOptions {
  plain?: boolean
  quiet?: boolean
}

export function registerInbox(program: Command, context: Context): void {
  program
    .command('inbox')
    .summary('see everything that waits, and answer it')
    .description(
      'Everything that waits for you, over all runs, danger first, on one screen. New requests appear by themselves and ring; what is settled elsewhere leaves.',
    )
    .option('--plain', 'a numbered list in lines, for screen readers, dumb terminals and pipes')
    .option('--quiet', 'no bell and no notification when a request comes')
    .addHelpText('after', help)
    .action(async (options: InboxOptions) => {
      context.exitCode = await inbox(context, options)
    })
}

async function inbox(context: Context, { plain = false, quiet = false }: InboxOptions): Promise<number> {
  const { stdin, stdout, stderr, env, now } = context
  // The screen that the person sees, also where one of the two goes to a file.
  const output = stderr.isTTY ? stderr : stdout
  if (!plain && !(stdin.isTTY && output.isTTY)) {
    throw new BeckonError(
      'invalid',
      'The inbox needs a terminal. Without one: beckon list shows what waits, beckon inbox --plain reads lines.',
    )
  }
  const { openInbox } = await import('../../terminal/inbox/open-inbox.ts')
  const { signal, release } = interruption()
  return withHub(context, async hub => {
    const terminal = { input: stdin, output, env }
    await openInbox(terminal, hub, { signal, plain, quiet, now, describe: request => describeOutcome(request) })
    return exitCodes.fine
  }).finally(release)
}

const help = `
Keys:
  ↑ ↓ j k   move; PgUp PgDn Home End        /         show only what has these words
  Enter     open, read all of it, answer    r         look at everything again
  s         skip what is optional           ?         all keys, and what the signs mean
  d         decline, with a reason          q Esc ^C  leave; everything stays open

Examples:
  beckon inbox
  beckon inbox --quiet            in a corner of the screen
  beckon inbox --plain            with a screen reader`
