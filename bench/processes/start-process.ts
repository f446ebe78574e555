import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface RunningProcess {
  stop(): Promise<void>
}

/** Starts the named program of this folder and waits until it reports that it works. */
export async function startProcess(name: string, database: string): Promise<RunningProcess> {
  const child = start(name, [database])
  await once(child, 'message')
  return { stop: () => stop(child) }
}

/** Runs the named program of this folder and returns the measurement that it reports. */
export async function measureInProcess<Finding>(name: string, ...args: string[]): Promise<Finding> {
  const child = start(name, args)
  const ended = once(child, 'exit')
  const [finding] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`${name} died`))),
  ])) as [Finding]
  await ended
  return finding
}

function start(name: string, args: string[]): ChildProcess {
  return fork(join(import.meta.dirname, `${name}.ts`), args, { execArgv: ['--expose-gc'] })
}

async function stop(child: ChildProcess) {
  const ended = once(child, 'exit')
  child.send('stop')
  await ended
}
