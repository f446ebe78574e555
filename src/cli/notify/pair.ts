import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { HubApi } from '../../protocol/hub.ts'
import type { Pairing, StartedPairing } from '../../protocol/pairing.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { formatTable } from '../output/table.ts'
import { withHub } from '../with-hub.ts'

interface PairOptions {
  wait: boolean
  json?: boolean
}

export function registerPairing(notify: Command, context: Context): void {
  notify
    .command('pair')
    .summary('Answer in a chat')
    .description('Pairs your account of a chat with you: what you press there, you have answered.')
    .argument('<name>', 'the name of the target')
    .option('--no-wait', 'do not wait until the code was sent')
    .option('--json', 'print { "code", "link", "bot", "expiresAt", "pairing", "warning" } and do not wait')
    .addHelpText('after', pairHelp)
    .action(async (name: string, options: PairOptions) => {
      context.exitCode = await pair(context, name, options)
    })
  notify
    .command('pairs')
    .summary('List who answers in chats')
    .description('Lists the accounts of chats that answer as a person.')
    .addHelpText('after', '\nExamples:\n  beckon notify pairs\n  beckon notify pairs --json')
    .option('--json', 'print { "pairings": […] }')
    .action(async (options: { json?: boolean }) => {
      context.exitCode = await list(context, options.json ?? false)
    })
  notify
    .command('unpair')
    .summary('Let an account of a chat answer no longer')
    .description('Ends a pairing: what that account presses from now on changes nothing.')
    .argument('<id>', 'the id of the pairing, from beckon notify pairs')
    .option('--json', 'print the pairing')
    .addHelpText('after', '\nExamples:\n  beckon notify unpair pair_01J…')
    .action(async (id: string, options: { json?: boolean }) => {
      context.exitCode = await unpair(context, id, options.json ?? false)
    })
}

async function pair(context: Context, name: string, { wait, json }: PairOptions): Promise<number> {
  return withHub(context, async hub => {
    const before = new Set((await hub.pairings.list()).map(({ id }) => id))
    const started = await hub.pairings.start(name)
    if (json) await printJson(context.stdout, started)
    else await print(context.stdout, instructions(name, started))
    if (started.pairing) context.stderr.write(describe(started.pairing))
    if (started.warning !== null) context.stderr.write(`Warning: ${started.warning}\n`)
    if (json || !wait || !started.expiresAt) return exitCodes.fine
    context.stderr.write(
      'Waiting until it was sent. beckon serve must be running. Ctrl-C stops waiting; the code works on.\n',
    )
    const found = await untilPaired(hub, before, name, Date.parse(started.expiresAt))
    context.stderr.write(found ? describe(found) : 'Nobody sent the code in time. For a new one, run this again.\n')
    return found ? exitCodes.fine : exitCodes.invalid
  })
}

function instructions(name: string, { code, link, bot }: StartedPairing): string {
  if (code === null) return ''
  const where = bot === null ? name : harmlessTitle(bot)
  if (link !== null)
    return `Open this on the phone or computer with your Telegram account, and press Start:\n${link}\nOr send this to ${where}: /pair ${code}\n`
  return `Send this in Slack, in any conversation (only ${where} sees it):\n/beckon pair ${code}\n`
}

function describe({ id, kind, account, person, target }: Pairing): string {
  const who = kind === 'ntfy' ? `Everybody who can read the topic of ${harmlessTitle(target)}` : harmlessTitle(account)
  return `Paired: ${who} answers as ${harmlessTitle(person)} from now on. Not you? beckon notify unpair ${id}\n`
}

/** Null when the time is up, or the person stops waiting. */
async function untilPaired(
  hub: HubApi,
  before: ReadonlySet<string>,
  name: string,
  end: number,
): Promise<Pairing | null> {
  const interrupted = interruption()
  try {
    while (Date.now() < end && !interrupted.signal.aborted) {
      const found = (await hub.pairings.list()).find(({ id, target }) => target === name && !before.has(id))
      if (found) return found
      await sleep(1_000, null, { signal: interrupted.signal }).catch(() => {})
    }
    return null
  } finally {
    interrupted.release()
  }
}

async function list(context: Context, json: boolean): Promise<number> {
  const pairings = await withHub(context, hub => hub.pairings.list(), { sweeps: false })
  if (json) await printJson(context.stdout, { pairings })
  else if (pairings.length === 0) context.stderr.write('Nobody answers in a chat. To do so: beckon notify pair NAME\n')
  else await print(context.stdout, formatPairings(pairings, context))
  return exitCodes.fine
}

function formatPairings(pairings: readonly Pairing[], { stdout }: Context): string {
  const rows = pairings.map(({ id, target, account, person, createdAt }) => [
    ...[id, target, account, person].map(harmlessTitle),
    createdAt.slice(0, 10),
  ])
  return formatTable(['ID', 'TARGET', 'ACCOUNT', 'ANSWERS AS', 'SINCE'], rows, stdout)
}

async function unpair(context: Context, id: string, json: boolean): Promise<number> {
  const pairing = await withHub(context, hub => hub.pairings.remove(id))
  if (json) await printJson(context.stdout, pairing)
  context.stderr.write(`${harmlessTitle(pairing.account)} no longer answers as ${harmlessTitle(pairing.person)}.\n`)
  return exitCodes.fine
}

const pairHelp = `
You get a code, which you send to the bot from your own account within 10 minutes. Simple questions and approvals that are
not dangerous can then be answered by buttons under their message; everything else has a link to its page. A topic of ntfy
is paired at once, if nobody can read it without a token.

Examples:
  beckon notify pair telegram
  beckon notify pair slack --no-wait`
