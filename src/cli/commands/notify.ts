import { type Command, Option } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import type { AddTargetInput, Target } from '../../protocol/notify.ts'
import type { Kind } from '../../protocol/status.ts'
import type { Severity } from '../../protocol/verdict.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { formatTable } from '../output/table.ts'
import { readText } from '../read-text.ts'
import { withHub } from '../with-hub.ts'

interface AddOptions {
  name?: string
  secretFrom?: string
  kind?: Kind[]
  minSeverity?: Severity
  json?: boolean
}

export function registerNotify(program: Command, context: Context): void {
  const notify = program
    .command('notify')
    .summary('Choose where notifications go')
    .description('Manages the webhooks, ntfy topics and chats that "beckon serve" notifies when an agent asks.')
    .addHelpText('after', help)
  notify
    .command('add')
    .summary('Add a target')
    .description('Adds a target: from now on, "beckon serve" notifies it when an agent asks.')
    .argument('<kind>', 'webhook, ntfy or slack (also for services with the same format)')
    .argument('<url>', 'the address; - reads it from stdin')
    .option('--name <name>', 'a name for the target')
    .option(
      '--secret-from <file>',
      'the file with the signing secret of a webhook, or the token of an ntfy server; - reads stdin',
    )
    .addOption(
      new Option('--kind <kind>', 'only requests of this kind (repeatable)')
        .choices(['question', 'dependency', 'approval', 'review'])
        .argParser((kind, kinds: string[] = []) => [...kinds, kind]),
    )
    .addOption(
      new Option('--min-severity <severity>', 'only approvals of this severity or above').choices([
        'low',
        'medium',
        'high',
        'critical',
      ]),
    )
    .option('--json', 'print { "target", "secret" }')
    .addHelpText('after', addHelp)
    .action(async (kind: string, url: string, options: AddOptions) => {
      context.exitCode = await add(context, kind, url, options)
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
    .description('Sends a test message to a target and reports the result.')
    .addHelpText(
      'after',
      '\nExamples:\n  beckon notify test slack\n  beckon notify test slack --url https://beckon.example.com',
    )
    .argument('<name>', 'the name of the target')
    .option('--url <url>', 'the address of the inbox that the message links to', 'http://127.0.0.1:4141')
    .option('--json', 'print { "delivered", "finding" }')
    .action(async (name: string, options: { url: string; json?: boolean }) => {
      context.exitCode = await test(context, name, options)
    })
}

async function add(context: Context, kind: string, url: string, options: AddOptions): Promise<number> {
  const { name, secretFrom, kind: kinds, minSeverity, json } = options
  if (url === '-' && secretFrom === '-') {
    throw invalid([{ path: 'secret-from', message: 'cannot be - when URL is -: stdin can only be read once' }])
  }
  const input = {
    kind: kind as AddTargetInput['kind'],
    url: url === '-' ? (await readText(context, '-', 'url', 5_000)).trim() : url,
    ...(secretFrom === undefined ? {} : { secret: await readSecret(context, secretFrom) }),
    ...(name === undefined ? {} : { name }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(minSeverity === undefined ? {} : { minSeverity }),
  }
  const made = await withHub(context, hub => hub.targets.add(input))
  if (json) await printJson(context.stdout, made)
  else if (made.secret !== null) await print(context.stdout, `${made.secret}\n`)
  const signed = made.secret === null ? '' : ' This secret signs its messages and is not shown again.'
  context.stderr.write(
    `Added target "${harmlessTitle(made.target.name)}".${signed} It is notified while beckon serve runs. To test it: beckon notify test NAME\n`,
  )
  return exitCodes.fine
}

async function readSecret(context: Context, file: string): Promise<string> {
  const secret = (await readText(context, file, 'secret-from', 5_000)).trim()
  if (secret === '') throw invalid([{ path: 'secret-from', message: `${file} is empty` }])
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

async function test(context: Context, name: string, { url, json }: { url: string; json?: boolean }): Promise<number> {
  const { readPublicUrl } = await import('../../server/access/addresses.ts')
  const tested = await withHub(context, hub => hub.targets.test(name, { url: readPublicUrl(url, '--url') }))
  if (json) await printJson(context.stdout, tested)
  const { delivered, finding } = tested
  context.stderr.write(`${harmlessTitle(name)} ${delivered ? 'accepted' : 'did not accept'} the message: ${finding}\n`)
  return delivered ? exitCodes.fine : exitCodes.invalid
}

function formatTargets(targets: readonly Target[], { stdout }: Context): string {
  const head = ['NAME', 'KIND', 'NOTIFIED OF', 'BY', 'ADDRESS']
  const rows = targets.map(({ name, kind, kinds, minSeverity, by, address }) => [
    harmlessTitle(name),
    kind,
    `${kinds?.join(', ') ?? 'everything'}${minSeverity ? ` (approvals: ${minSeverity} and up)` : ''}`,
    harmlessTitle(by),
    harmlessTitle(address),
  ])
  return formatTable(head, rows, stdout)
}

const help = `
A message has a title and a link to the inbox, never the context, an answer or a secret. Addresses are stored encrypted.

Examples:
  beckon notify add webhook https://example.com/hook > secret.txt
  beckon notify add ntfy https://ntfy.sh/my-secret-topic --kind approval --min-severity high
  beckon notify add slack - < slack-url.txt
  beckon notify test slack`

const addHelp = `
Examples:
  beckon notify add webhook https://example.com/hook > secret.txt
  beckon notify add ntfy https://ntfy.sh/my-secret-topic --kind approval --min-severity high
  beckon notify add slack - < slack-url.txt`
