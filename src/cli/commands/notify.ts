import { type Command, Option } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import type { AddTargetInput, Target } from '../../protocol/notify.ts'
import type { Kind } from '../../protocol/status.ts'
import type { Severity } from '../../protocol/verdict.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { pad, widthOf } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
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
    .summary('choose where you are told that something waits')
    .description('Webhooks, ntfy topics and chats that are told when an agent asks, by beckon serve.')
    .addHelpText('after', help)
  notify
    .command('add')
    .summary('tell this address from now on')
    .argument('<kind>', 'webhook, ntfy or slack (and whatever takes the same)')
    .argument('<url>', 'where to send; - reads it from stdin')
    .option('--name <name>', 'what to call it')
    .option('--secret-from <file>', 'signs what a webhook gets, or opens an ntfy server; - for stdin')
    .addOption(
      new Option('--kind <kind>', 'only these requests (repeatable)')
        .choices(['question', 'dependency', 'approval', 'review'])
        .argParser((kind, kinds: string[] = []) => [...kinds, kind]),
    )
    .addOption(
      new Option('--min-severity <severity>', 'only approvals that are at least as dangerous').choices([
        'low',
        'medium',
        'high',
        'critical',
      ]),
    )
    .option('--json', 'print { "target", "secret" }')
    .action(async (kind: string, url: string, options: AddOptions) => {
      context.exitCode = await add(context, kind, url, options)
    })
  notify
    .command('list')
    .summary('print the targets; addresses that are secret are masked')
    .option('--json', 'print { "targets": […] }')
    .action(async (options: { json?: boolean }) => {
      context.exitCode = await list(context, options.json ?? false)
    })
  notify
    .command('remove')
    .summary('tell it nothing more')
    .argument('<name>', 'of the target')
    .option('--json', 'print the target')
    .action(async (name: string, options: { json?: boolean }) => {
      context.exitCode = await remove(context, name, options.json ?? false)
    })
  notify
    .command('test')
    .summary('send it a message right now, and say how that went')
    .argument('<name>', 'of the target')
    .option('--url <url>', 'where the inbox is; a server knows that itself', 'http://127.0.0.1:4141')
    .option('--json', 'print { "delivered", "finding" }')
    .action(async (name: string, options: { url: string; json?: boolean }) => {
      context.exitCode = await test(context, name, options)
    })
}

async function add(context: Context, kind: string, url: string, options: AddOptions): Promise<number> {
  const { name, secretFrom, kind: kinds, minSeverity, json } = options
  if (url === '-' && secretFrom === '-') {
    throw invalid([{ path: 'secret-from', message: 'stdin is read once: give the address or the secret by it' }])
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
  const signed = made.secret === null ? '' : ' What it gets is signed with this secret, which is not shown again.'
  context.stderr.write(
    `${harmlessTitle(made.target.name)} is told from now on, while beckon serve runs.${signed} Try it: beckon notify test NAME\n`,
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
  else if (targets.length === 0) context.stderr.write('Nobody is told. Add a target: beckon notify add --help\n')
  else await print(context.stdout, formatTable(targets))
  return exitCodes.fine
}

async function remove(context: Context, name: string, json: boolean): Promise<number> {
  const target = await withHub(context, hub => hub.targets.remove(name))
  if (json) await printJson(context.stdout, target)
  context.stderr.write(`${harmlessTitle(target.name)} is told nothing more.\n`)
  return exitCodes.fine
}

async function test(context: Context, name: string, { url, json }: { url: string; json?: boolean }): Promise<number> {
  const { readPublicUrl } = await import('../../server/access/addresses.ts')
  const tested = await withHub(context, hub => hub.targets.test(name, { url: readPublicUrl(url) }))
  if (json) await printJson(context.stdout, tested)
  const { delivered, finding } = tested
  context.stderr.write(`${harmlessTitle(name)} ${delivered ? 'took it' : 'did not take it'}: ${finding}\n`)
  return delivered ? exitCodes.fine : exitCodes.invalid
}

function formatTable(targets: readonly Target[]): string {
  const head = ['NAME', 'KIND', 'HEARS OF', 'BY', 'ADDRESS']
  const rows = targets.map(({ name, kind, kinds, minSeverity, by, address }) => [
    harmlessTitle(name),
    kind,
    `${kinds?.join(', ') ?? 'everything'}${minSeverity ? ` (approvals: ${minSeverity} and up)` : ''}`,
    harmlessTitle(by),
    harmlessTitle(address),
  ])
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map(row => widthOf(row[i] ?? ''))))
  return [head, ...rows]
    .map(row => `${row.map((cell, i) => (i === head.length - 1 ? cell : pad(cell, widths[i] ?? 0))).join('  ')}\n`)
    .join('')
}

const help = `
A message has a title and a link to the inbox, never the context, an answer or a secret. Addresses are stored sealed.

Examples:
  beckon notify add webhook https://example.com/hook > secret.txt
  beckon notify add ntfy https://ntfy.sh/my-secret-topic --kind approval --min-severity high
  beckon notify add slack - < slack-url.txt
  beckon notify test slack`
