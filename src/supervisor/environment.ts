import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../system/atomic-file.ts'
import type { FileSealer } from './file-sealer.ts'

/** Saves the agent's environment for when the run starts again. It holds keys, so it is sealed. */
export async function saveEnvironment(
  folder: string,
  run: string,
  env: NodeJS.ProcessEnv,
  sealer: FileSealer,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileAtomically(join(folder, 'environment'), await sealer.seal(run, JSON.stringify(env)))
}

/** For a run that does not start again. */
export function deleteEnvironment(folder: string): void {
  rmSync(join(folder, 'environment'), { force: true })
}

/** Null where none was saved. */
export async function readEnvironment(
  folder: string,
  run: string,
  sealer: FileSealer,
): Promise<NodeJS.ProcessEnv | null> {
  const bytes = readIfPresent(join(folder, 'environment'))
  return bytes && JSON.parse(await sealer.open(run, bytes))
}

function readIfPresent(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
