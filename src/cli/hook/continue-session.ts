import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { registerRun } from '../../agent/run.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { runFolder } from '../../supervisor/folder.ts'
import { openLogWriter } from '../../supervisor/log/writer.ts'
import { endAll } from '../../supervisor/processes/processes.ts'
import { deleteWakeCommand } from '../../supervisor/recovery/wake-command.ts'
import { homeOf } from '../../system/home.ts'
import { isSameProcess, type ProcessId } from '../../system/processes/identity.ts'
import { describeStartError } from '../../system/processes/start-error.ts'
import type { Context } from '../context.ts'
import { withHub } from '../with-hub.ts'
import { readSession, type SavedSession } from './saved-session.ts'

const grace = 2_000
const lookEvery = 100

/** Continues a deferred session whose request is answered. The recovery process starts this, once. */
export function continueSession(context: Context, id: string): Promise<number> {
  const home = homeOf(context.env)
  const saved = readSession(home, id)
  if (saved === null) throw new BeckonError('not_found', `There is no session to continue for ${id}.`)
  return withHub(context, hub => supervise(context, hub, home, id, saved))
}

async function supervise(
  { env }: Context,
  hub: HubApi,
  home: string,
  id: string,
  { command, cwd, claude }: SavedSession,
): Promise<number> {
  const [file = '', ...args] = command
  const run = await registerRun(hub, { again: id, command: [...command], cwd, pid: process.pid, sleeps: true })
  const log = await openLogWriter(runFolder(home, id).log)
  // The host was told that it is deferred, and may still be about to end.
  await ended(claude)
  // What an earlier attempt started, before it was killed.
  await endAll(id, { grace })
  const child = spawn(file, args, { cwd, env: { ...env, BECKON_RUN: id }, stdio: ['ignore', 'pipe', 'pipe'] })
  run.stopped.addEventListener('abort', () => void endAll(id, { grace }), { once: true })
  child.stdout.on('data', bytes => log.write('out', bytes))
  child.stderr.on('data', bytes => log.write('err', bytes))
  const { code, problem } = await exitOf(child, file)
  const { waiting } = await hub.runs.get(id)
  await log.close({ final: waiting.length === 0 }).catch(() => {})
  if (waiting.length > 0) await run.end('asleep')
  else if (code === 0) await run.end('completed', 0)
  else await run.fail(problem ?? `claude ended with exit code ${code}.`, code)
  if (waiting.length === 0) deleteWakeCommand(home, id)
  return code
}

async function ended(claude: ProcessId | null): Promise<void> {
  while (claude !== null && isSameProcess(claude)) await sleep(lookEvery)
}

async function exitOf(
  child: ReturnType<typeof spawn>,
  file: string,
): Promise<{ code: number; problem: string | null }> {
  try {
    const [code] = await once(child, 'close')
    return { code: typeof code === 'number' ? code : 1, problem: null }
  } catch (error) {
    return { code: 1, problem: describeStartError(error as NodeJS.ErrnoException, file) }
  }
}
