import type { Command } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import type { ProgramEvent } from '../../protocol/event-types.ts'
import type { AddTargetInput, Target, TargetTest } from '../../protocol/notify.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { registerPairing } from '../notify/pair.ts'
import { addWantsOptions, describeWants, readWants, type WantsOptions } from '../notify/wants-options.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { formatTable } from '../output/table.ts'
import { readText } from '../read-text.ts'
import { repeatable } from '../repeatable.ts'
import { withHub } from '../with-hub.ts'

interface AddOptions extends WantsOptions {
  name?: string
  secretFrom?: string
  channel?: string
  appTokenFrom?: string
  signingSecretFrom?: string
  event?: string[]
  json?: boolean
}

export function registerNotify(program: Command, context: Context): void {
  const notify = program
    .command('notify')
    .summary('Choose where notifications go')
    .description('Manages the webhooks, topics, chats and desktops that "beckon serve" notifies when an agent asks.')
    .addHelpText('after', help)
  const adding = notify
    .command('add')
    .summary('Add a target')
    .description('Adds a target: from now on, "beckon serve" notifies it when an agent asks.')
    .argument('<kind>', 'webhook, ntfy, slack (also for services with the same format), telegram or desktop')
    .argument('[url]', 'the address; - reads it from stdin; not for bots and desktops')
    .option('--name <name>', 'a name for the target')
    .option(
      '--secret-from <file>',
      'the file with the signing secret of a webhook, or the token of an ntfy server or a bot; - reads stdin',
    )
    .option(
      '--channel <id>',
      'the channel of a Slack bot, or the chat of a Telegram bot; without it, the first person who pairs',
    )
    .option('--app-token-from <file>', 'the file with the app-level token of a Slack app, to answer by Socket Mode')
    .option('--signing-secret-from <file>', 'the file with the signing secret of a Slack app, to answer over HTTP')
  addWantsOptions(adding)
    .option(
      '--event <type>',
      'for a webhook of a program: this event, such as request.settled (repeatable)',
      repeatable,
    )
    .option('--json', 'print { "target", "secret", "warning" }')
    .addHelpText('after', addHelp)
    .action(async (kind: string, url: string | undefined, options: AddOptions) => {
      context.exitCode = await add(context, kind, url, options)
    })
  const changing = notify
    .command('change')
    .summary('Change when a target is notified')
    .description('Changes which requests a target is notified of, and when. What is not given stays.')
    .argument('<name>', 'the name of the target')
    .option('--always', 'first takes all conditions away: it is notified of everything, at once')
  addWantsOptions(changing)
    .option('--json', 'print the target')
    .addHelpText('after', '\nExamples:\n  beckon notify change slack --after 10m\n  beckon notify change ntfy --always')
    .action(async (name: string, options: WantsOptions & { always?: boolean; json?: boolean }) => {
      context.exitCode = await change(context, name, options)
    })
  notify
    .command('list')
    .summary('List the targets')
    .description('Lists the targets. Secret parts of their addresses are masked.')
    .addHelpText('after', '\nExamples:\n  beckon notify list\n  beckon notify list --json')
    .option('--json', 'print { "targets": […] }')
    .action(async (options: { json?: boolean }) => {
      context.exitCode = await list(context, options.json ?? false)
    })
  notify
    .command('remove')
    .summary('Remove a target')
    .description('Removes a target: it gets no more notifications.')
    .addHelpText('after', '\nExamples:\n  beckon notify remove slack')
    .argument('<name>', 'the name of the target')
    .option('--json', 'print the target')
    .action(async (name: string, options: { json?: boolean }) => {
      context.exitCode = await remove(context, name, options.json ?? false)
    })
  notify
    .command('test')
    .summary('Send a test message to a target')
    .description('Sends a test message to a target, and shows what was sent and what came back.')
    .addHelpText(
      'after',
      '\nExamples:\n  beckon notify test slack\n  beckon notify test slack --url https://beckon.example.com',
    )
    .argument('<name>', 'the name of the target')
    .option('--url <url>', 'the address of the inbox that the message links to; the one of "beckon serve" by default')
    .option('--json', 'print { "delivered", "finding", "sent", "reply", "warning" }')
    .action(async (name: string, options: { url?: string; json?: boolean }) => {
      context.exitCode = await test(context, name, options)
    })
  registerPairing(notify, context)
}

async function add(context: Context, kind: string, url: string | undefined, options: AddOptions): Promise<number> {
  const { name, secretFrom, channel, appTokenFrom, signingSecretFrom, event: events, json } = options
  refuseStdinTwice({
    url,
    'secret-from': secretFrom,
    'app-token-from': appTokenFrom,
    'signing-secret-from': signingSecretFrom,
  })
  const input = {
    kind: kind as AddTargetInput['kind'],
    ...(url === undefined ? {} : { url: url === '-' ? (await readText(context, '-', 'url', 5_000)).trim() : url }),
    ...(secretFrom === undefined ? {} : { secret: await readSecret(context, secretFrom, 'secret-from') }),
    ...(appTokenFrom === undefined ? {} : { appToken: await readSecret(context, appTokenFrom, 'app-token-from') }),
    ...(signingSecretFrom === undefined
      ? {}
      : { signingSecret: await readSecret(context, signingSecretFrom, 'signing-secret-from') }),
    ...(channel === undefined ? {} : { channel }),
    ...(name === undefined ? {} : { name }),
    // The person who adds it reads it, or at least knows the clock that it is read by.
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(await readWants(options, context.cwd)),
    ...(events === undefined ? {} : { events: events as ProgramEvent[] }),
  }
  const made = await withHub(context, hub => hub.targets.add(input))
  if (json) await printJson(context.stdout, made)
  else if (made.secret !== null) await print(context.stdout, `${made.secret}\n`)
  const signed = made.secret === null ? '' : ' This secret signs its messages and is not shown again.'
  const shown = harmlessTitle(made.target.name)
  const isUnpaired = channel === undefined && (kind === 'telegram' || (kind === 'slack' && secretFrom !== undefined))
  const next = isUnpaired
    ? `It writes to the first person who pairs: beckon notify pair ${shown}`
    : `It is notified while beckon serve runs. To test it: beckon notify test ${shown}`
  context.stderr.write(`Added target "${shown}".${signed} ${next}\n`)
  warn(context, made)
  return exitCodes.fine
}

async function change(
  context: Context,
  name: string,
  { always, json, ...options }: WantsOptions & { always?: boolean; json?: boolean },
): Promise<number> {
  const wants = await readWants(options, context.cwd)
  if (!always && Object.keys(wants).length === 0) {
    throw invalid([{ path: 'change', message: 'needs a condition, such as --after 10m, or --always' }])
  }
  const none = { kinds: null, minSeverity: null, urgentOnly: null, after: null, projects: null, quiet: null }
  const target = await withHub(context, hub => hub.targets.change(name, { ...(always ? none : {}), ...wants }))
  if (json) await printJson(context.stdout, target)
  context.stderr.write(`Target "${harmlessTitle(target.name)}" is notified of ${describeWants(target)}.\n`)
  return exitCodes.fine
}

function warn(context: Context, { warning }: { warning: string | null }): void {
  if (warning !== null) context.stderr.write(`Warning: ${warning}\n`)
}

function refuseStdinTwice(sources: Record<string, string | undefined>): void {
  const [, second] = Object.keys(sources).filter(name => sources[name] === '-')
  const first = sources.url === '-' ? 'URL' : 'another one'
  if (second === undefined) return
  throw invalid([{ path: second, message: `cannot be - when ${first} is -: stdin can only be read once` }])
}

async function readSecret(context: Context, file: string, flag: string): Promise<string> {
  const secret = (await readText(context, file, flag, 5_000)).trim()
  if (secret === '') throw invalid([{ path: flag, message: `${file} is empty` }])
  return secret
}

async function list(context: Context, json: boolean): Promise<number> {
  const targets = await withHub(context, hub => hub.targets.list(), { sweeps: false })
  if (json) await printJson(context.stdout, { targets })
  else if (targets.length === 0) context.stderr.write('There are no targets. To add one: beckon notify add --help\n')
  else await print(context.stdout, formatTargets(targets, context))
  return exitCodes.fine
}

async function remove(context: Context, name: string, json: boolean): Promise<number> {
  const target = await withHub(context, hub => hub.targets.remove(name))
  if (json) await printJson(context.stdout, target)
  context.stderr.write(`Removed target "${harmlessTitle(target.name)}".\n`)
  return exitCodes.fine
}

async function test(
  context: Context,
  name: string,
  { url, json = false }: { url?: string; json?: boolean },
): Promise<number> {
  const { readPublicUrl } = await import('../../server/access/addresses.ts')
  const options = url === undefined ? {} : { url: readPublicUrl(url, '--url') }
  const tested = await withHub(context, hub => hub.targets.test(name, options))
  if (json) await printJson(context.stdout, tested)
  else await print(context.stdout, formatTest(tested))
  const { delivered, finding } = tested
  context.stderr.write(`${harmlessTitle(name)} ${delivered ? 'accepted' : 'did not accept'} the message: ${finding}\n`)
  warn(context, tested)
  return delivered ? exitCodes.fine : exitCodes.invalid
}

function formatTest({ sent, reply }: TargetTest): string {
  const indent = (text: string) => text.replaceAll(/^/gm, '  ')
  return `Sent:\n${indent(sent)}\n${reply === '' ? '' : `Came back:\n${indent(harmlessTitle(reply))}\n`}`
}

function formatTargets(targets: readonly Target[], { stdout }: Context): string {
  const head = ['NAME', 'KIND', 'NOTIFIED OF', 'BY', 'ADDRESS']
  const rows = targets.map(target => [
    harmlessTitle(target.name),
    target.kind,
    describeWants(target),
    harmlessTitle(target.by),
    harmlessTitle(target.address),
  ])
  return formatTable(head, rows, stdout)
}

const help = `
A message says who asks, where, what kind of request it is, how dangerous and until when, with a link to the inbox; never the
context, an answer or a secret. Once the request is settled, the message says so. Addresses are stored encrypted.

Examples:
  beckon notify add desktop
  beckon notify add ntfy https://ntfy.sh/my-secret-topic --urgent
  beckon notify add slack - --after 10m < slack-url.txt
  beckon notify test slack`

const addHelp = `
Examples:
  beckon notify add webhook https://example.com/hook > secret.txt
  beckon notify add webhook https://example.com/hook --event request.settled --event run.failed > secret.txt
  beckon notify add ntfy https://ntfy.sh/my-secret-topic --kind approval --min-severity high
  beckon notify add slack - --after 10m --quiet 22:00-07:00 < slack-url.txt
  beckon notify add slack --channel C0123456789 --secret-from bot-token.txt
  beckon notify add telegram --channel 123456789 --secret-from bot-token.txt --project shop
  beckon notify add slack --secret-from xoxb.txt --app-token-from xapp.txt   # to answer there: beckon notify pair slack
  beckon notify add desktop`
