import { type Command, Option } from 'commander'
import type { Scope, Token } from '../../protocol/token.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { formatTable } from '../output/table.ts'
import { IdOption } from '../short-ids/arguments.ts'
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
    .summary('Create, list and revoke tokens for HTTP')
    .description('Manages the tokens that give agents and people on other machines access to the hub over HTTP.')
    .addHelpText('after', help)
  token
    .command('create')
    .summary('Create a token')
    .description('Creates a token and prints its secret, which is not stored anywhere.')
    .addHelpText('after', createHelp)
    .addOption(
      new Option(
        '--scope <scope>',
        'what it allows: ask (its own requests), run (also its own runs), answer, or admin (everything)',
      )
        .choices(['ask', 'run', 'answer', 'admin'])
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'whose it is; answers given with it carry this name')
    .option('--expires <duration>', 'how long it is valid, such as 90d (default: forever)')
    .addOption(new IdOption('--run <run>', 'bind an ask token to the agent of this run'))
    .option('--json', 'print { "token", "secret" }')
    .action(async (options: CreateOptions) => {
      context.exitCode = await create(context, options)
    })
  token
    .command('list')
    .summary('List the tokens')
    .description('Lists the tokens, newest first.')
    .addHelpText('after', '\nExamples:\n  beckon token list\n  beckon token list --json')
    .option('--json', 'print { "tokens": […] }')
    .action(async (options: { json?: boolean }) => {
      context.exitCode = await list(context, options.json ?? false)
    })
  token
    .command('revoke')
    .summary('Revoke a token')
    .description(
      'Revokes a token: from now on it gives no access, and neither do the links and sessions made through it.',
    )
    .addHelpText('after', '\nExamples:\n  beckon token revoke tok_01jz…')
    .argument('<id>', 'the id of the token')
    .option('--json', 'print the token')
    .action(async (id: string, options: { json?: boolean }) => {
      context.exitCode = await revoke(context, id, options.json ?? false)
    })
  token
    .command('link')
    .summary('Print a link that signs in a browser')
    .description('Prints a link to the server on this machine that signs in one browser, within 15 minutes.')
    .addHelpText('after', '\nExamples:\n  beckon token link\n  beckon token link --url https://beckon.example.com')
    .option('--url <url>', 'the address of the server; by default that of the one that runs here')
    .action(async (options: { url?: string }) => {
      context.exitCode = await link(context, options.url)
    })
}

async function link(context: Context, url: string | undefined): Promise<number> {
  const { readPublicUrl } = await import('../../server/access/addresses.ts')
  const address = url === undefined ? await addressHere(context) : readPublicUrl(url, '--url')
  const { secret } = await withStore(context, hub => hub.access.sessions.makeLink({ name: hub.user, scope: 'admin' }))
  await print(context.stdout, `${address}/#signin=${secret}\n`)
  return exitCodes.fine
}

const usualAddress = 'http://127.0.0.1:4141'

/** Without a server the link is still good for the next one, which most likely has the usual port. */
async function addressHere(context: Context): Promise<string> {
  const { runningServers } = await import('../serve/running-servers.ts')
  const address = (await runningServers(context))[0]?.url ?? null
  if (address !== null) return address
  const advice = 'Start one: beckon serve. For one elsewhere, give its address: beckon token link --url URL'
  context.stderr.write(
    `beckon: No server for this database runs on this machine, so the link names ${usualAddress}. ${advice}\n`,
  )
  return usualAddress
}

async function create(context: Context, { scope, name, expires, run, json }: CreateOptions): Promise<number> {
  const lasts = expires === undefined ? null : await readDuration(expires, 'expires')
  const made = await withHub(context, hub =>
    hub.tokens.create({ scope, expires: lasts, ...(name ? { name } : {}), ...(run ? { run } : {}) }),
  )
  if (json) await printJson(context.stdout, made)
  else await print(context.stdout, `${made.secret}\n`)
  context.stderr.write(`Created ${made.token.id} (${scope}). Its secret is not shown again.\n`)
  return exitCodes.fine
}

async function list(context: Context, json: boolean): Promise<number> {
  const tokens = await withHub(context, hub => hub.tokens.list(), { sweeps: false })
  if (json) await printJson(context.stdout, { tokens })
  else if (tokens.length === 0) context.stderr.write('There are no tokens.\n')
  else await print(context.stdout, formatTokens(tokens, context))
  return exitCodes.fine
}

async function revoke(context: Context, id: string, json: boolean): Promise<number> {
  const token = await withHub(context, hub => hub.tokens.revoke(id))
  if (json) await printJson(context.stdout, token)
  context.stderr.write(`Revoked ${token.id} (${harmlessTitle(token.name)}).\n`)
  return exitCodes.fine
}

function formatTokens(tokens: readonly Token[], { now, stdout }: Context): string {
  const head = ['ID', 'SCOPE', 'STATE', 'LAST USED', 'NAME']
  const rows = tokens.map(token => [
    token.id,
    token.scope,
    stateOf(token, now()),
    token.lastUsedAt ?? 'never',
    harmlessTitle(token.name),
  ])
  return formatTable(head, rows, stdout)
}

function stateOf({ revokedAt, expiresAt }: Token, now: number): string {
  if (revokedAt) return 'revoked'
  if (expiresAt && Date.parse(expiresAt) <= now) return 'expired'
  return expiresAt ? `until ${expiresAt.slice(0, 10)}` : 'valid'
}

const help = `
Examples:
  beckon token create --scope ask --name nightly --expires 90d
  beckon token list
  beckon token revoke tok_01jz…`

const createHelp = `
Examples:
  beckon token create --scope ask --name nightly --expires 90d
  beckon token create --scope admin --json`
