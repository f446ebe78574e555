import type { Command } from 'commander'
import type { Kept } from '../../protocol/kept.ts'
import { ageOf } from '../../text/age.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut, pad, widthOf } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { withHub } from '../with-hub.ts'

interface KeptOptions {
  json?: boolean
}

export function registerKept(program: Command, context: Context): void {
  const kept = program
    .command('kept')
    .summary('list the values that you keep, and take them back')
    .description('Lists the values that are kept for later asks; never the values themselves.')
    .option('--json', 'print { "kept": […] }')
    .addHelpText('after', help)
    .action(async (options: KeptOptions) => {
      context.exitCode = await list(context, options)
    })
  kept
    .command('remove')
    .description('Takes a value back: it is deleted, and agents ask for it again.')
    .argument('<name>', 'what it is kept as')
    .option('--json', 'print what was removed')
    .action(async (name: string, options: KeptOptions) => {
      context.exitCode = await remove(context, name, { ...kept.opts(), ...options })
    })
}

function list(context: Context, { json = false }: KeptOptions): Promise<number> {
  return withHub(context, async hub => {
    const kept = await hub.kept.list()
    if (json) await printJson(context.stdout, { kept })
    else if (kept.length === 0) context.stderr.write('Nothing is kept.\n')
    else await print(context.stdout, formatTable(kept, context))
    return exitCodes.fine
  })
}

function remove(context: Context, name: string, { json = false }: KeptOptions): Promise<number> {
  return withHub(context, async hub => {
    const removed = await hub.kept.forget(name)
    context.stderr.write(`${harmlessTitle(removed.name)} is no longer kept, and its value is deleted.\n`)
    if (json) await printJson(context.stdout, removed)
    return exitCodes.fine
  })
}

function formatTable(kept: readonly Kept[], { now, stdout }: Context): string {
  const head = ['NAME', 'TYPE', 'FOR', 'BY', 'KEPT', 'LAST USED', 'DIRECTORY']
  const rows = kept.map(({ name, type, dependency, by, keptAt, lastUsedAt, directory }) => [
    cut(harmlessTitle(name), 40),
    type,
    cut(harmlessTitle(dependency), 40),
    cut(harmlessTitle(by), 24),
    ageOf(keptAt, now()),
    lastUsedAt === null ? 'never' : ageOf(lastUsedAt, now()),
    directory === null ? 'everywhere' : harmlessTitle(directory),
  ])
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map(row => widthOf(row[i] ?? ''))))
  const lines = [head, ...rows].map(row => {
    const line = row.map((cell, i) => (i === row.length - 1 ? cell : pad(cell, widths[i] ?? 0))).join('  ')
    return stdout.isTTY && stdout.columns ? cut(line, stdout.columns) : line
  })
  return `${lines.join('\n')}\n`
}

const help = `
A value is kept by the person who gives it: beckon answer ID --from FILE --keep [NAME]. Later asks of the same user for
that type and name are then answered at once: in the same directory, or in all of them with --keep-everywhere.

Examples:
  beckon kept
  beckon kept remove STRIPE_KEY`
