import type { Command } from 'commander'
import type { Kept } from '../../protocol/kept.ts'
import { ageOf } from '../../text/age.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { formatTable } from '../output/table.ts'
import { withHub } from '../with-hub.ts'

interface KeptOptions {
  json?: boolean
}

export function registerKept(program: Command, context: Context): void {
  const kept = program
    .command('kept')
    .summary('List and remove the values that you keep')
    .description('Lists the values that are kept for later requests. The values themselves are never shown.')
    .option('--json', 'print { "kept": […] }')
    .addHelpText('after', help)
    .action(async (options: KeptOptions) => {
      context.exitCode = await list(context, options)
    })
  kept
    .command('remove')
    .summary('Delete a kept value')
    .description('Deletes a kept value. Agents that need it ask for it again.')
    .argument('<name>', 'the name that it is kept under')
    .option('--json', 'print the removed entry')
    .addHelpText('after', removeHelp)
    .action(async (name: string, options: KeptOptions) => {
      context.exitCode = await remove(context, name, { ...kept.opts(), ...options })
    })
}

function list(context: Context, { json = false }: KeptOptions): Promise<number> {
  return withHub(context, async hub => {
    const kept = await hub.kept.list()
    if (json) await printJson(context.stdout, { kept })
    else if (kept.length === 0) context.stderr.write('No values are kept.\n')
    else await print(context.stdout, formatKept(kept, context))
    return exitCodes.fine
  })
}

function remove(context: Context, name: string, { json = false }: KeptOptions): Promise<number> {
  return withHub(context, async hub => {
    const removed = await hub.kept.forget(name)
    context.stderr.write(`Deleted the kept value ${harmlessTitle(removed.name)}.\n`)
    if (json) await printJson(context.stdout, removed)
    return exitCodes.fine
  })
}

function formatKept(kept: readonly Kept[], { now, stdout }: Context): string {
  const head = ['NAME', 'TYPE', 'FOR', 'AGENTS OF', 'BY', 'KEPT', 'LAST USED', 'DIRECTORY']
  const rows = kept.map(({ name, type, dependency, user, token, by, keptAt, lastUsedAt, directory }) => [
    cut(harmlessTitle(name), 40),
    type,
    cut(harmlessTitle(dependency), 40),
    `${cut(harmlessTitle(user), 24)}${token === null ? '' : ` (${token})`}`,
    cut(harmlessTitle(by), 24),
    ageOf(keptAt, now()),
    lastUsedAt === null ? 'never' : ageOf(lastUsedAt, now()),
    directory === null ? 'everywhere' : harmlessTitle(directory),
  ])
  return formatTable(head, rows, stdout)
}

const help = `
Keep a value when you give it: beckon answer ID --from FILE --keep [NAME]. Later requests of the same user for that type
and name get it at once: in the same directory, or in every directory with --keep-everywhere. A value for a run over HTTP
is for later runs of the same token, and is deleted with that token.

Examples:
  beckon kept
  beckon kept remove STRIPE_KEY`

const removeHelp = `
Examples:
  beckon kept remove STRIPE_KEY
  beckon kept remove STRIPE_KEY --json`
