import { chmod, link, lstat, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import { harmless } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { errorMessage } from '../output/error-message.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import { withStore } from '../with-hub.ts'

export function registerBackup(program: Command, context: Context): void {
  program
    .command('backup')
    .summary('Copy the database into a file')
    .description('Writes a consistent copy of the whole database into a new file, while other commands keep working.')
    .argument('<file>', 'the new file; it must not exist yet')
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
    const draft = join(folder, basename(file))
    await withStore(context, (_hub, store) => store.backup(draft), { sweeps: false })
    await chmod(draft, 0o600)
    const bytes = await syncToDisk(draft)
    await moveIntoPlace(draft, file)
    context.stderr.write(
      `Wrote ${harmless(file)} (${bytes} bytes). It does not contain the sealing key: back up the key file or BECKON_KEY as well.\n`,
    )
    if (json) await printJson(context.stdout, { file, bytes })
    return exitCodes.fine
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The backup gets its name when it is complete, and only its owner can read it while it is written. */
async function makeFolderBeside(file: string): Promise<string> {
  try {
    return await mkdtemp(join(dirname(file), `.${basename(file)}-`))
  } catch (error) {
    throw invalid([{ path: 'file', message: `cannot be written: ${errorMessage(error)}` }])
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

/** A link fails where a file exists; file systems without links need a check first. */
async function moveIntoPlace(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file)
  } catch {
    if (await exists(file)) throw neverOverwrites(file)
    await rename(draft, file)
  }
}

function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  )
}

function neverOverwrites(file: string) {
  return invalid([{ path: 'file', message: `${file} exists, and a backup never overwrites a file` }])
}

const help = `
Examples:
  beckon backup beckon-$(date +%F).db
  BECKON_DB=beckon-2026-01-31.db beckon list --all      read a backup`
