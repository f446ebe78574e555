import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { HolderSpec } from './holder/spec.ts'

/** The files of a run that are not in the hub: its log and its holder's files. Only its user can read them. */
export interface RunFolder {
  path: string
  log: string
  socket: string
}

// The system's limit for the path of a socket, with some room to spare.
const longestSocketPath = 100

export function runFolder(home: string, run: string): RunFolder {
  const path = join(home, 'runs', run)
  const socket = join(path, 'holder')
  return {
    path,
    log: join(path, 'log'),
    socket: Buffer.byteLength(socket) <= longestSocketPath ? socket : join(shortFolder(), run),
  }
}

/** Where a person's uploads for a request go: into the folder of its run, and they are deleted with it. */
export function uploadFolder(home: string, { run, id }: { run: string | null; id: string }): string {
  return run === null ? join(home, 'files', id) : join(home, 'runs', run, 'files')
}

/** Removes the files of runs and requests that the hub has deleted. */
export function removeFolders(home: string, { runs, requests }: { runs: string[]; requests: string[] }): void {
  for (const [folder, ids] of Object.entries({ runs, files: requests })) {
    const deleted = new Set(ids)
    for (const name of namesIn(join(home, folder)).filter(name => deleted.has(name))) {
      rmSync(join(home, folder, name), { recursive: true, force: true })
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export function prepareRunFolder({ path, socket }: RunFolder, spec: Omit<HolderSpec, 'socket'>): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  writeFileSync(join(path, 'spec.json'), JSON.stringify({ ...spec, socket } satisfies HolderSpec), { mode: 0o600 })
}

function shortFolder(): string {
  const folder = join(tmpdir(), `beckon-${userInfo().uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
