import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startProcess } from '../setup/start-process.ts'
import type { Command, Result } from './processes/racer.ts'

type Order = Command extends infer One ? (One extends Command ? Omit<One, 'at'> : never) : never

export interface Racers {
  /** The first `count` racers run their commands, all at the same instant. */
  race(count: number, order: (n: number) => Order): Promise<Result[]>
  end(): Promise<void>
}

export async function startRacers(count: number): Promise<Racers> {
  const racers = Array.from({ length: count }, () =>
    startProcess(join(import.meta.dirname, 'processes', 'racer.ts'), []),
  )
  await Promise.all(racers.map(racer => nextMessage(racer)))
  return { race, end }

  async function race(count: number, order: (n: number) => Order): Promise<Result[]> {
    const at = Date.now() + 100
    return Promise.all(
      racers.slice(0, count).map(async (racer, n) => {
        const result = nextMessage(racer)
        racer.send({ ...order(n), at })
        return (await result) as Result
      }),
    )
  }

  async function end() {
    await Promise.all(
      racers.map(async racer => {
        const ended = once(racer, 'exit')
        racer.disconnect()
        await ended
      }),
    )
  }
}

async function nextMessage(racer: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const death = once(racer, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`a racer died (${code})`)
  })
  death.catch(() => {})
  try {
    const [message] = (await Promise.race([once(racer, 'message'), death])) as [unknown]
    return message
  } finally {
    over.abort()
  }
}
