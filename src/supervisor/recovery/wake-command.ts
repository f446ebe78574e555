import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BeckonError, isChanged } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Run } from '../../protocol/run.ts'
import { isOfConversation } from '../../rules/conversation.ts'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { readOrNull } from '../../system/machine-fault.ts'
import { identify, isSameProcess, type ProcessId } from '../../system/processes/identity.ts'
import { describeStartError } from '../../system/processes/start-error.ts'
import type { SupervisorContext } from '../context.ts'
import { readEnvironment, saveEnvironment } from '../environment.ts'
import type { FileSealer } from '../file-sealer.ts'
import { runFolder } from '../folder.ts'
import { retryWhileUnavailable } from '../retry.ts'
import { readSettings } from '../settings.ts'
import { putToSleep } from '../sleep/sleep.ts'

// A run that announced itself and has no supervisor: the built-in agent. It saves the command that starts it again, and
// a recovery that finds it without a process, waiting or answered, brings it back.

/** Called when the run starts. Its environment holds keys, and is sealed. */
export async function saveWakeCommand(
  home: string,
  run: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  sealer: FileSealer,
): Promise<void> {
  const { path } = runFolder(home, run)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  writeFileAtomically(join(path, 'wake.json'), JSON.stringify(command))
  writeFileAtomically(join(path, 'process.json'), JSON.stringify(identify(process.pid)))
  await saveEnvironment(path, run, env, sealer)
}

/** Null where the run cannot be started again. */
export function readWakeCommand(home: string, run: string): string[] | null {
  return readOrNull(() => JSON.parse(readFileSync(join(runFolder(home, run).path, 'wake.json'), 'utf8')))
}

/** Whether the process of a run without a supervisor is gone; another process may have its pid now. */
export function hasLostProcess(home: string, { id, pid }: Run): boolean {
  if (pid === null || readSettings(runFolder(home, id).path) !== null) return false
  const saved = readProcess(home, id)
  return saved?.pid === pid ? !isSameProcess(saved) : identify(pid) === null
}

function readProcess(home: string, run: string): ProcessId | null {
  return readOrNull(() => JSON.parse(readFileSync(join(runFolder(home, run).path, 'process.json'), 'utf8')))
}

/** For a run that is done and has no open request. */
export function deleteWakeCommand(home: string, run: string): void {
  for (const name of ['wake.json', 'process.json', 'environment'])
    rmSync(join(runFolder(home, run).path, name), { force: true })
}

/**
 * Its process is gone. It sleeps while a request is open; once none is, or a person asks it back, one of the processes
 * that try starts it.
 */
export async function wakeAnnouncedRun(
  context: SupervisorContext,
  run: Run,
  [file = '', ...args]: readonly string[],
): Promise<'asleep' | 'supervised' | 'woken'> {
  const { hub } = context
  if (run.status !== 'asleep') await putToSleep(hub, run.id)
  const { waiting } = await hub.runs.get(run.id)
  if (waiting.length > 0 && !(await isAskedBack(hub, run))) return 'asleep'
  try {
    const { id: again, name, command, cwd } = run
    // The lease is a compare-and-set.
    await hub.runs.start({ again, onlyFrom: 'asleep', name, command, cwd, pid: process.pid })
  } catch (error) {
    if (isChanged(error)) return 'supervised'
    throw error
  }
  const env = (await readEnvironment(runFolder(context.home, run.id).path, run.id, context.sealer)) ?? context.env
  const child = spawn(file, args, { cwd: run.cwd, env, detached: true, stdio: 'ignore' })
  await once(child, 'spawn').catch(error => {
    throw new BeckonError('unsupported', describeStartError(error, file), null, error)
  })
  // Before we end: another recovery that found our pid gone would take the run for dead, though it is only starting.
  await retryWhileUnavailable(() => hub.runs.change(run.id, { pid: child.pid ?? null }))
  child.unref()
  return 'woken'
}

/** It wakes to reply, although its question is still open. It names its requests by its conversation, which is its session. */
async function isAskedBack(hub: HubApi, { id, session }: Run): Promise<boolean> {
  if (session === null) return false
  const { requests } = await hub.list({ run: id })
  const own = requests.filter(({ key }) => isOfConversation(key, session))
  const unheard = await Promise.all(own.map(request => hub.messages.unheard(request.id)))
  return unheard.some(messages => messages.length > 0)
}
