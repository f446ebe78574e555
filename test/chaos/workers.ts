import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../crash/random.ts'
import { hasEnded, killAndWait } from '../setup/marked-processes.ts'
import { startProcess } from '../setup/start-process.ts'
import type { WorkerOptions } from './processes/run-worker.ts'

export type Role = 'asker' | 'answerer' | 'follower'

export interface Worker {
  name: string
  role: Role
  kill(): Promise<void>
  freeze(ms: number): Promise<void>
  /** Lets it end by itself, after what it has begun. */
  finish(most: number): Promise<void>
}

type Given = Pick<WorkerOptions, 'ports' | 'token' | 'journals'>

/** A program of the test that is started again after each kill. */
export function startWorker(
  name: string,
  role: Role,
  given: Given,
  env: NodeJS.ProcessEnv,
  random: Random,
  report: (violation: string) => void,
): Worker {
  let starts = 0
  let over = false
  let child = start()
  return { name, role, kill, freeze, finish }

  function start(): ChildProcess {
    starts += 1
    const options: WorkerOptions = { ...given, name, start: starts, seed: random.below(2 ** 31) }
    const file = join(import.meta.dirname, 'processes', `${role}.ts`)
    const worker = startProcess(file, [JSON.stringify(options)], env)
    let said = ''
    worker.stderr?.on('data', bytes => {
      said = (said + bytes).slice(-2_000)
    })
    worker.on('exit', code => {
      if (code !== 0 && code !== null) report(`${name} failed (${code}): ${said.trim()}`)
    })
    return worker
  }

  async function kill() {
    if (over) return
    await killAndWait(child)
    child = start()
  }

  async function freeze(ms: number) {
    const frozen = child
    frozen.kill('SIGSTOP')
    await sleep(ms)
    frozen.kill('SIGCONT')
  }

  async function finish(most: number) {
    over = true
    if (child.connected) child.send('finish')
    const giveUpAt = performance.now() + most
    while (!hasEnded(child) && performance.now() < giveUpAt) await sleep(20)
    if (hasEnded(child)) return
    report(`${name} could not finish within ${most / 1_000} s`)
    await killAndWait(child)
  }
}
