import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach } from 'vitest'
import type { Hub } from '../../src/hub/hub.ts'
import { type Sender, type SenderOptions, startSender } from '../../src/notify/sender.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import { testKey } from '../setup/databases.ts'

export const inbox = 'https://beckon.example'
export const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }], context: 'the secret plan' }

export interface TestHub {
  hub: Hub
  /** Lets time pass by the database's clock. */
  pass(ms: number): void
  /** What was logged. */
  logged: { about: Record<string, unknown>; what: string }[]
  send(options?: Partial<SenderOptions>): Sender
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A hub over a database, and senders that begin when a test says so. */
export async function openTestHub(database: string, env: NodeJS.ProcessEnv = {}): Promise<TestHub> {
  let moved = 0
  const hub = await openLocalHub({
    database,
    env: { BECKON_KEY: testKey, ...env },
    caller: { user: 'person', directory: '/work' },
    shift: () => moved,
    sweeps: false,
  })
  ends.push(() => hub.close())
  const logged: TestHub['logged'] = []
  const log = (about: object, what: string) => void logged.push({ about: about as Record<string, unknown>, what })
  return {
    hub,
    logged,
    pass: ms => {
      moved += ms
    },
    send(options = {}) {
      const sender = startSender({ hub, outbox: hub.outbox, inbox, log: { warn: log, info: log }, ...options })
      ends.push(() => sender.close())
      return sender
    },
  }
}

/** Looks again and again until it is so. */
export async function until(look: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 1_500; i += 1) {
    if (await look()) return
    await sleep(10)
  }
  throw new Error(`waited in vain until ${what}`)
}
