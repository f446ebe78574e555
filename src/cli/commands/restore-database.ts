import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import { harmless } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import { databaseFile, refuseOverHttp } from '../with-hub.ts'

export function registerRestoreDatabase(program: Command, context: Context): void {
  program
    .command('restore-database')
    .summary('Put a backup in the place of the database')
    .description(
      'Checks a backup and puts a copy of it in the place of the database. The database that was there is set aside, not deleted.',
    )
    .argument('<file>', 'the backup, as "beckon backup" wrote it')
    .option('--json', 'print { "file", "from", "setAside", "requests", "runs" }')
    .addHelpText('after', help)
    .action(async (backup: string, options: { json?: boolean }) => {
      context.exitCode = await restore(context, resolve(context.cwd, backup), options.json ?? false)
    })
}

async function restore(context: Context, from: string, json: boolean): Promise<number> {
  refuseOverHttp(context)
  const path = await databaseFile(context)
  if (path === null) throw inPostgres(from)
  const { refuseIfOthersCanWrite } = await import('../../system/ownership.ts')
  const { restoreDatabase } = await import('../../store/sqlite/restore.ts')
  refuseIfOthersCanWrite(dirname(path), 'The folder of the database,', { group: true })
  const { processesWithOpen } = await import('../../system/processes/open-files.ts')
  const restored = await restoreDatabase(path, from, files => refuseIfOpen(path, processesWithOpen(files)))
  const { file, setAside, requests, runs } = restored
  const before = setAside === null ? 'There was no database before.' : `The old database is now ${setAside}.`
  context.stderr.write(
    `${harmless(`Restored ${from} as ${file}: ${requests} requests and ${runs} runs.`)}\n${harmless(before)}\nSecrets in it need the key that sealed them; check it with: beckon doctor\n`,
  )
  if (json) await printJson(context.stdout, { file, from, setAside, requests, runs })
  return exitCodes.fine
}

function refuseIfOpen(file: string, processes: readonly { pid: number; command: string }[]): void {
  if (processes.length === 0) return
  const list = processes.map(({ pid, command }) => `process ${pid}${command ? ` (${command})` : ''}`).join(', ')
  throw new BeckonError('in_use', `${file} is open in ${list}. End it and try again; nothing was changed.`)
}

function inPostgres(backup: string): BeckonError {
  return new BeckonError(
    'unsupported',
    `This hub is in PostgreSQL, which is restored with its own tools (pg_dump and pg_restore). To use the backup itself as a hub: BECKON_DB=${backup}`,
  )
}

const help = `
Nothing may have the database open meanwhile: end "beckon serve" and runs first. The old database keeps its log beside it,
and can be restored in the same way.

Examples:
  beckon restore-database beckon-2026-01-31.db`
