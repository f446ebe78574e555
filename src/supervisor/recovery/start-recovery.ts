import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { homePath } from '../../system/home.ts'
import { isHeld } from '../../system/lock-file.ts'
import { programFile } from '../../system/programs.ts'

// Variables of the agent that may have started us: the recovery process belongs to no agent.
const agentVariables = ['BECKON_RUN', 'BECKON_ANSWERS', 'BECKON_NONCE']

/** Starts the recovery process (`beckon run --recover`), detached; null where this home has one. */
export async function startRecovery(env: NodeJS.ProcessEnv): Promise<ChildProcess | null> {
  if (isHeld(recoveryLockFile(homePath(env)))) return null
  const variables = Object.entries({ ...process.env, ...env }).filter(([name]) => !agentVariables.includes(name))
  const args = [programFile('beckon.js'), 'run', '--recover']
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore', env: Object.fromEntries(variables) })
  child.on('error', () => {})
  child.unref()
  return child
}

/** Held by the recovery process of a home for as long as it runs. */
export function recoveryLockFile(home: string): string {
  return join(home, 'recovery.lock')
}
