import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import type { Run } from '../../protocol/run.ts'
import type { Place } from '../context.ts'
import { keepEnvironment, readEnvironment, type Safe } from '../environment.ts'
import { runFolder } from '../folder.ts'
import { writeWhole } from '../settings.ts'
import { putToSleep } from '../sleep/sleep.ts'

// A run that announced itself and that nobody supervises: the built-in agent. It keeps what it takes to start it again, and
// whoever finds it waiting, or answered, without a process can bring it back.

/** Written at its start. The environment has keys in it, and is sealed. */
export async function keepWakeCommand(
  home: string,
  run: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  safe: Safe,
): Promise<void> {
  const { path } = runFolder(home, run)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  writeWhole(join(path, 'wake.json'), JSON.stringify(command))
  await keepEnvironment(path, run, env, safe)
}

/** Null where it cannot be started again. */
export function readWakeCommand(home: string, run: string): string[] | null {
  try {
    return JSON.parse(readFileSync(join(runFolder(home, run).path, 'wake.json'), 'utf8'))
  } catch {
    return null
  }
}

/** It is done, and nothing is open: what it was started with is nobody's business any more. */
export function forgetWakeCommand(home: string, run: string): void {
  for (const name of ['wake.json', 'environment']) rmSync(join(runFolder(home, run).path, name), { force: true })
}

/** Its process is gone. It sleeps while something is open; then one of those that would, starts it. */
export async function wakeAnnounced(place: Place, run: Run, [file = '', ...args]: readonly string[]) {
  const { hub } = place
  if (run.status !== 'asleep') await putToSleep(hub, run.id)
  const { waiting } = await hub.runs.get(run.id)
  if (waiting.length > 0) return 'asleep'
  try {
    const { id: again, name, command, cwd } = run
    // The lease: a compare-and-set. The process says its own number as soon as it is there.
    await hub.runs.start({ again, onlyFrom: 'asleep', name, command, cwd, pid: process.pid })
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'busy') return 'looked after'
    throw error
  }
  const env = (await readEnvironment(runFolder(place.home, run.id).path, run.id, place.safe)) ?? place.env
  const child = spawn(file, args, { cwd: run.cwd, env, detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
  return 'woken'
}
