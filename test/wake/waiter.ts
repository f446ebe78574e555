import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startProcess } from '../setup/start-process.ts'
import type { WaiterMessage } from './processes/waiter.ts'

type MessageOf<Said extends WaiterMessage['said']> = Extract<WaiterMessage, { said: Said }>

export interface Waiter {
  /** Resolves once it waits; the inner promise resolves when the wait ends. */
  wait(id: string): Promise<{ resumed: Promise<MessageOf<'resumed'>> }>
  /** The ids of all events that it has received. */
  followed(): Promise<number[]>
  end(): Promise<void>
}

/** Starts a waiter in a separate process. */
export async function startWaiter(database: string): Promise<Waiter> {
  const waiter = startProcess(join(import.meta.dirname, 'processes', 'waiter.ts'), [database])
  let stderr = ''
  waiter.stderr?.on('data', chunk => {
    stderr += chunk
  })
  const died = once(waiter, 'exit').then(() => {
    throw new Error(`the waiter died: ${stderr}`)
  })
  died.catch(() => {})
  await nextMessage(waiter, 'ready')
  return { wait, followed, end }

  async function wait(id: string) {
    const waiting = nextMessage(waiter, 'waiting', id)
    const resumed = nextMessage(waiter, 'resumed', id)
    waiter.send(id)
    await waiting
    return { resumed }
  }

  async function followed() {
    const message = nextMessage(waiter, 'followed')
    if (waiter.connected) waiter.send('followed?')
    return (await message).events
  }

  async function end() {
    waiter.disconnect()
    await died.catch(() => {})
  }

  function nextMessage<Said extends WaiterMessage['said']>(
    from: ChildProcess,
    said: Said,
    id?: string,
  ): Promise<MessageOf<Said>> {
    const received = new Promise<MessageOf<Said>>(resolve => {
      from.on('message', function listen(message: WaiterMessage) {
        if (message.said !== said || (id !== undefined && 'id' in message && message.id !== id)) return
        from.off('message', listen)
        resolve(message as MessageOf<Said>)
      })
    })
    return Promise.race([received, died])
  }
}
