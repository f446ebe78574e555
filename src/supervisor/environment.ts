import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from './settings.ts'

/** Seals what may not lie around in the open, and opens it again; by the hub's own key. */
export interface Safe {
  seal(name: string, text: string): Promise<Uint8Array>
  open(name: string, bytes: Buffer): Promise<string>
}

/** Keeps the agent's environment for the time when the run comes back: in it are keys, so it is sealed. */
export async function keepEnvironment(folder: string, run: string, env: NodeJS.ProcessEnv, safe: Safe): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeWhole(join(folder, 'environment'), await safe.seal(run, JSON.stringify(env)))
}

/** The run does not come back. */
export function forgetEnvironment(folder: string): void {
  rmSync(join(folder, 'environment'), { force: true })
}

/** Null where none was kept. */
export async function readEnvironment(folder: string, run: string, safe: Safe): Promise<NodeJS.ProcessEnv | null> {
  const bytes = readOrNull(join(folder, 'environment'))
  return bytes && JSON.parse(await safe.open(run, bytes))
}

function readOrNull(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
