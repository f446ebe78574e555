import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Party {
  stop(): Promise<void>
}

/** Starts a party in a process of its own, and waits until it is at work. */
export async function startParty(name: string, database: string): Promise<Party> {
  const child = start(name, [database])
  await once(child, 'message')
  return { stop: () => stop(child) }
}

/** Lets a party measure something in a process of its own, and returns what it found. */
export async function askParty<Finding>(name: string, ...args: string[]): Promise<Finding> {
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
