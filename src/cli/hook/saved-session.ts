import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFolder } from '../../supervisor/folder.ts'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { readOrNull } from '../../system/machine-fault.ts'
import { identify, type ProcessId } from '../../system/processes/identity.ts'

/** What it takes to continue a session. Its environment is sealed beside it. */
export interface SavedSession {
  readonly command: readonly string[]
  readonly cwd: string
  /** The process that must have ended before. */
  readonly claude: ProcessId | null
}

export function saveSession(
  home: string,
  run: string,
  { command, cwd, claude }: { command: readonly string[]; cwd: string; claude: string | undefined },
): void {
  const { path } = runFolder(home, run)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const saved: SavedSession = { command, cwd, claude: claude === undefined ? null : identify(Number(claude)) }
  writeFileAtomically(join(path, 'session.json'), JSON.stringify(saved))
}

export function readSession(home: string, run: string): SavedSession | null {
  return readOrNull(() => JSON.parse(readFileSync(join(runFolder(home, run).path, 'session.json'), 'utf8')))
}
