import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerLimits } from '../../server/limits.ts'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { homeOf } from '../../system/home.ts'
import { readOrNull } from '../../system/machine-fault.ts'
import { identify, isSameProcess, type ProcessId } from '../../system/processes/identity.ts'
import { hasProcessTable } from '../../system/processes/table.ts'
import type { Context } from '../context.ts'
import { databaseFile } from '../with-hub.ts'

// Each server of a home writes its address to a file of its own, so that commands find it on whatever port it is. A file
// counts as long as the very process that wrote it is alive: after a crash it is stale.

/** What a server says about itself to commands of the same home. */
export interface Announcement {
  url: string
  limits: ServerLimits
  /** Where askers may be called, as it was given. */
  callbackHosts: string
}

interface RunningServer extends Announcement {
  process: Pick<ProcessId, 'pid'> & Partial<ProcessId>
  /** A hash of its database: the address may hold a password. */
  database: string
  startedAt: number
}

/** Writes down where and how this process serves; the function that it returns removes that again. */
export async function announceServer(context: Context, announcement: Announcement): Promise<() => void> {
  const folder = folderOf(context)
  const file = join(folder, `${process.pid}.json`)
  for (const stale of filesIn(folder).filter(({ server }) => !isRunning(server))) rmSync(stale.file, { force: true })
  const server: RunningServer = {
    ...announcement,
    process: (hasProcessTable() ? identify(process.pid) : null) ?? { pid: process.pid },
    database: await databaseHash(context),
    startedAt: context.now(),
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileAtomically(file, `${JSON.stringify(server)}\n`)
  return () => rmSync(file, { force: true })
}

/** The servers of this home's database, the newest first. */
export async function runningServers(context: Context): Promise<Announcement[]> {
  const database = await databaseHash(context)
  const servers = filesIn(folderOf(context))
    .map(({ server }) => server)
    .filter(server => server.database === database && isRunning(server))
  return servers.sort((a, b) => b.startedAt - a.startedAt)
}

function filesIn(folder: string): { file: string; server: RunningServer }[] {
  const names = readOrNull(() => readdirSync(folder)) ?? []
  return names
    .filter(name => name.endsWith('.json'))
    .flatMap(name => {
      const file = join(folder, name)
      const server = readOrNull((): RunningServer | null => JSON.parse(readFileSync(file, 'utf8')))
      return server?.process ? [{ file, server }] : []
    })
}

function isRunning({ process: { pid, startedAt, boot } }: RunningServer): boolean {
  if (startedAt !== undefined && boot !== undefined) return isSameProcess({ pid, startedAt, boot })
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function folderOf({ env }: Context): string {
  return join(homeOf(env), 'servers')
}

async function databaseHash(context: Context): Promise<string> {
  const database = (await databaseFile(context)) ?? context.env.BECKON_DB ?? ''
  return createHash('sha256').update(database).digest('hex')
}
