import { type Command, Option } from 'commander'
import type { Scope, Token } from '../../protocol/token.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { pad, widthOf } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { withHub, withStore } from '../with-hub.ts'

interface CreateOptions {
  scope: Scope
  name?: string
  expires?: string
  run?: string
  json?: boolean
}

export function registerToken(program: Command, context: Context): void {
  const token = program
    .command('token')
    .summary('make, list and revoke tokens for the hub over HTTP')
    .description('Tokens open the hub over HTTP, to agents and to people on other machines.')
    .addHelpText('after', help)
  token
    .command('create')
    .summary('make a token; its secret is printed once')
    .description('Makes a token and prints its secret, which is stored nowhere.')
    .addOption(
      new Option(
        '--scope <scope>',
        'what it may do: ask (its own requests), run (and its own runs), answer, or everything',
      )
        .choices(['ask', 'run', 'answer', 'admin'])
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'whose it is; answers given with it bear this name')
    .option('--expires <duration>', 'until when it is good, such as 90d; for ever unless given')
    .option('--run <run>', 'an ask token for the agent of this run alone')
    .option('--json', 'print { "token", "secret" }')
    .action(async (options: CreateOptions) => {
      context.exitCode = await create(context, options)
    })
  token
    .command('list')
    .summary('print the tokens, newest first')
    .option('--json', 'print { "tokens": […] }')
    .action(async (options: { json?: boolean }) => {
      context.exitCode = await list(context, options.json ?? false)
    })
  token
    .command('revoke')
    .summary('take a token back: from now on it opens nothing')
    .argument('<id>', 'of the token')
    .option('--json', 'print the token')
    .action(async (id: string, options: { json?: boolean }) => {
      context.exitCode = await revoke(context, id, options.json ?? false)
    })
  token
    .command('link')
    .summary('print a link that signs a browser in, once')
    .description('Prints a link for a server over the database of this machine. It is good once, for 15 minutes.')
    .option('--url <url>', 'where the server is', 'http://127.0.0.1:4141')
    .action(async (options: { url: string }) => {
      context.exitCode = await link(context, options.url)
    })
}

async function link(context: Context, url: string): Promise<number> {
  const { readPublicUrl } = await import('../../server/access/addresses.ts')
  const address = readPublicUrl(url)
  const { secret } = await withStore(context, hub => hub.access.makeLink({ name: hub.user, scope: 'admin' }))
  await print(context.stdout, `${address}/#signin=${secret}\n`)
  return exitCodes.fine
}

async function create(context: Context, { scope, name, expires, run, json }: CreateOptions): Promise<number> {
  const lasts = expires === undefined ? null : await readDuration(expires, 'expires')
  const made = await withHub(context, hub =>
    hub.tokens.create({ scope, expires: lasts, ...(name ? { name } : {}), ...(run ? { run } : {}) }),
  )
  if (json) await printJson(context.stdout, made)
  else await print(context.stdout, `${made.secret}\n`)
  context.stderr.write(`${made.token.id} (${scope}). The secret is not shown again.\n`)
  return exitCodes.fine
}

async function list(context: Context, json: boolean): Promise<number> {
  const tokens = await withHub(context, hub => hub.tokens.list(), { sweeps: false })
  if (json) await printJson(context.stdout, { tokens })
  else if (tokens.length === 0) context.stderr.write('There are no tokens.\n')
  else await print(context.stdout, formatTable(tokens, context.now()))
  return exitCodes.fine
}

async function revoke(context: Context, id: string, json: boolean): Promise<number> {
  const token = await withHub(context, hub => hub.tokens.revoke(id))
  if (json) await printJson(context.stdout, token)
  context.stderr.write(`${token.id} (${harmlessTitle(token.name)}) is revoked.\n`)
  return exitCodes.fine
}

function formatTable(tokens: readonly Token[], now: number): string {
  const head = ['ID', 'SCOPE', 'STATE', 'LAST USED', 'NAME']
  const rows = tokens.map(token => [
    token.id,
    token.scope,
    stateOf(token, now),
    token.lastUsedAt ?? 'never',
    harmlessTitle(token.name),
  ])
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map(row => widthOf(row[i] ?? ''))))
  return [head, ...rows]
    .map(row => `${row.map((cell, i) => (i === head.length - 1 ? cell : pad(cell, widths[i] ?? 0))).join('  ')}\n`)
    .join('')
}

function stateOf({ revokedAt, expiresAt }: Token, now: number): string {
  if (revokedAt) return 'revoked'
  if (expiresAt && Date.parse(expiresAt) <= now) return 'expired'
  return expiresAt ? `until ${expiresAt.slice(0, 10)}` : 'good'
}

const help = `
Examples:
  beckon token create --scope ask --name nightly --expires 90d
  beckon token list
  beckon token revoke tok_01jz…`
