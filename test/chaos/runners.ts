import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../crash/random.ts'
import { hasEnded, killAndWait } from '../setup/marked-processes.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')
const agent = join(import.meta.dirname, '../supervisor/processes/careful-agent.py')
/** How many questions each agent asks. */
export const questionsOfAgent = 3

export interface Runner {
  /** Starts no further run, and recovers until `areAllOver`. */
  finish(areAllOver: () => Promise<boolean>, most: number): Promise<void>
}

/** The file in which the agent of a run writes down what it read. */
export function agentLog(root: string, run: string): string {
  return join(root, 'agents', run)
}

/** A machine of its own that supervises one run after the other, and recovers after its supervisor was killed. */
export function startRunner(name: string, root: string, env: NodeJS.ProcessEnv, random: Random): Runner {
  const home = join(root, name)
  mkdirSync(home, { mode: 0o700 })
  let over = false
  let child: ChildProcess | null = null
  keepRunning()
  return { finish }

  async function keepRunning() {
    for (let number = 1; !over; number += 1) {
      const run = `${name}-${number}`
      const sleeps = random.chance(0.5) ? ['--sleep-after', '1h'] : []
      const command = ['python3', agent, agentLog(root, run), String(questionsOfAgent)]
      const code = await beckon(['run', '--name', run, '--no-human', 'park', ...sleeps, '--', ...command])
      // Killed, or without a hub: another process takes over what is left.
      if (code !== 0 && !over) await beckon(['run', '--recover'])
      await sleep(random.below(300))
    }
  }

  async function beckon(args: string[]): Promise<number | null> {
    child = spawn(process.execPath, [launcher, ...args], {
      cwd: home,
      env: { ...env, BECKON_HOME: home },
      stdio: 'ignore',
    })
    const [code] = await once(child, 'exit')
    return code
  }

  async function finish(areAllOver: () => Promise<boolean>, most: number) {
    over = true
    const giveUpAt = performance.now() + most
    while (!(await areAllOver()) && performance.now() < giveUpAt) {
      if (child === null || hasEnded(child)) beckon(['run', '--recover'])
      await sleep(200)
    }
    for (let i = 0; i < 100 && child && !hasEnded(child); i += 1) await sleep(100)
    if (child) await killAndWait(child)
  }
}
