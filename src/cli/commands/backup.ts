import { chmod, link, lstat, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import { harmless } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import { withStore } from '../with-hub.ts'

export function registerBackup(program: Command, context: Context): void {
  program
    .command('backup')
    .summary('copy everything into a file')
    .description('Writes a consistent copy of the whole database into a new file, while others go on working.')
    .argument('<file>', 'where to; it must not exist')
    .option('--json', 'print { "file", "bytes" }')
    .addHelpText('after', help)
    .action(async (file: string, options: { json?: boolean }) => {
      context.exitCode = await backup(context, resolve(context.cwd, file), options.json ?? false)
    })
}

async function backup(context: Context, file: string, json: boolean): Promise<number> {
  if (await exists(file)) throw neverOverwrites(file)
  const folder = await makeFolderBeside(file)
  try {
    const aside = join(folder, basename(file))
    await withStore(context, (_hub, store) => store.backup(aside), { sweeps: false })
    await chmod(aside, 0o600)
    const bytes = await syncToDisk(aside)
    await moveIntoPlace(aside, file)
    context.stderr.write(
      `Wrote ${harmless(file)} (${bytes} bytes). The sealing key is not in it: keep the key file or BECKON_KEY, too.\n`,
    )
    if (json) await printJson(context.stdout, { file, bytes })
    return exitCodes.fine
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Half a backup is never seen under its name, and nobody else can look into it while it is made. */
async function makeFolderBeside(file: string): Promise<string> {
  try {
    return await mkdtemp(join(dirname(file), `.${basename(file)}-`))
  } catch (error) {
    throw invalid([{ path: 'file', message: `cannot be written: ${messageOf(error)}` }])
  }
}

async function syncToDisk(file: string): Promise<number> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

/** A link fails where something stands already; some file systems have none, and there we look first. */
async function moveIntoPlace(aside: string, file: string): Promise<void> {
  try {
    await link(aside, file)
  } catch {
    if (await exists(file)) throw neverOverwrites(file)
    await rename(aside, file)
  }
}

function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  )
}

function neverOverwrites(file: string) {
  return invalid([{ path: 'file', message: `${file} exists already; a backup never overwrites` }])
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const help = `
Examples:
  beckon backup beckon-$(date +%F).db
  BECKON_DB=beckon-2026-01-31.db beckon list --all      look into a backup`
