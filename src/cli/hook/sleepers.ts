import { hash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeResumeCommand } from '../../hooks/claude/resume-command.ts'
import type { Sleepers } from '../../hooks/hook.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { isEnd } from '../../rules/run-status.ts'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { homePath } from '../../system/home.ts'
import { readOrNull } from '../../system/machine-fault.ts'
import { wordsOf } from '../../system/processes/command-line.ts'
import { programFile } from '../../system/programs.ts'
import type { Context } from '../context.ts'
import type { HubOnDemand } from './hub-on-demand.ts'
import { saveSession } from './saved-session.ts'

// A session of `claude -p` that defers a call is a run that announced itself: it sleeps while its request is open, and the
// recovery process, which wakes every sleeping run, continues it once.

/** Of Claude's sessions. */
export function sleepersOf({ env }: Context, onDemand: HubOnDemand): Sleepers {
  const home = homePath(env)
  return { announce, sleep, end }

  async function announce(session: string, cwd: string): Promise<string | null> {
    // macOS does not tell arguments apart.
    const started = process.platform === 'linux' ? wordsOf(env.CLAUDE_PID) : []
    const command = claudeResumeCommand(started, session)
    if (command === null) return null
    const { hub, sealer } = await onDemand.open()
    const earlier = readRun(session)
    const input = { name: 'claude-code', command, cwd, pid: process.pid, session, sleeps: true }
    const run = await startOrRestart(hub, earlier, input)
    const { saveWakeCommand } = await import('../../supervisor/recovery/wake-command.ts')
    const wake = [process.execPath, programFile('beckon.js'), 'hook', 'claude', '--continue', run]
    await saveWakeCommand(home, run, wake, withoutSecrets(env), sealer)
    saveSession(home, run, { command, cwd, claude: env.CLAUDE_PID })
    mkdirSync(join(home, 'hooks'), { recursive: true, mode: 0o700 })
    writeFileAtomically(fileOf(session), run)
    return run
  }

  async function sleep(run: string): Promise<void> {
    const { hub } = await onDemand.open()
    const { status, name, command, cwd } = await hub.runs.get(run)
    // The hook of another call has ended it meanwhile.
    if (isEnd(status)) await hub.runs.start({ again: run, name, command, cwd })
    if (status !== 'asleep') await hub.runs.change(run, { status: 'asleep', pid: null })
    // An answer that came just before woke nobody.
    const { wakeReadyRuns } = await import('../../supervisor/recovery/wake-sleepers.ts')
    await wakeReadyRuns(hub, env)
  }

  async function end(run: string): Promise<void> {
    const { hub } = await onDemand.open()
    const { status, waiting } = await hub.runs.get(run)
    if (status === 'running' && waiting.length === 0) await hub.runs.change(run, { status: 'completed', exitCode: 0 })
  }

  function readRun(session: string): string | null {
    return readOrNull(() => readFileSync(fileOf(session), 'utf8'))
  }

  function fileOf(session: string): string {
    return join(home, 'hooks', `run-${hash('sha256', session, 'base64url').slice(0, 22)}`)
  }
}

/** One run for one session. */
async function startOrRestart(
  hub: HubApi,
  again: string | null,
  input: Parameters<HubApi['runs']['start']>[0],
): Promise<string> {
  const earlier = again === null ? null : await hub.runs.get(again).catch(() => null)
  if (earlier && !isEnd(earlier.status) && earlier.status !== 'asleep') return earlier.id
  return (await hub.runs.start(earlier ? { ...input, again: earlier.id } : input)).id
}

// With these a program can answer requests or open secrets, or they belong to the process of Claude that ends now.
const dropped =
  /^(BECKON_(KEY|ANSWERS|RUN|NONCE)|AI_AGENT|CLAUDECODE|CLAUDE_(PID|EFFORT|PROJECT_DIR|ENV_FILE)|CLAUDE_CODE_(MESSAGING_\w+|SESSION_\w+|CHILD_SESSION|ENTRYPOINT|EXECPATH|SSE_PORT))$/

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name, value]) => !dropped.test(name) && !isAnsweringToken(name, value))
  return Object.fromEntries(kept)
}

function isAnsweringToken(name: string, value: string | undefined): boolean {
  return name === 'BECKON_TOKEN' && !value?.startsWith('beckon_ask_')
}
