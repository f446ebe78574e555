import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The files of a run that are not in the hub: its log and its holder's files. Only its user can read them. */
export interface RunFolder {
  path: string
  log: string
}

export function runFolder(home: string, run: string): RunFolder {
  const path = join(home, 'runs', run)
  return { path, log: join(path, 'log') }
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
