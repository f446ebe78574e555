import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startProcess } from '../setup/start-process.ts'
import type { WaiterSays } from './processes/waiter.ts'

type Saying<Said extends WaiterSays['said']> = Extract<WaiterSays, { said: Said }>

export interface Waiter {
  /** Resolves once it waits; the promise inside, once it goes on. */
  wait(id: string): Promise<{ resumed: Promise<Saying<'resumed'>> }>
  /** The numbers of all events it was given so far. */
  followed(): Promise<number[]>
  end(): Promise<void>
}

/** Somebody who waits in a process of its own. */
export async function startWaiter(database: string): Promise<Waiter> {
  const waiter = startProcess(join(import.meta.dirname, 'processes', 'waiter.ts'), [database])
  let complaint = ''
  waiter.stderr?.on('data', chunk => {
    complaint += chunk
  })
  const died = once(waiter, 'exit').then(() => {
    throw new Error(`the waiter died: ${complaint}`)
  })
  died.catch(() => {})
  await hear(waiter, 'ready')
  return { wait, followed, end }

  async function wait(id: string) {
    const waiting = hear(waiter, 'waiting', id)
    const resumed = hear(waiter, 'resumed', id)
    waiter.send(id)
    await waiting
    return { resumed }
  }

  async function followed() {
    const saying = hear(waiter, 'followed')
    if (waiter.connected) waiter.send('followed?')
    return (await saying).events
  }

  async function end() {
    waiter.disconnect()
    await died.catch(() => {})
  }

  function hear<Said extends WaiterSays['said']>(from: ChildProcess, said: Said, id?: string): Promise<Saying<Said>> {
    const heard = new Promise<Saying<Said>>(resolve => {
      from.on('message', function listen(message: WaiterSays) {
        if (message.said !== said || (id !== undefined && 'id' in message && message.id !== id)) return
        from.off('message', listen)
        resolve(message as Saying<Said>)
      })
    })
    return Promise.race([heard, died])
  }
}
