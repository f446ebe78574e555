import { afterEach, expect } from 'vitest'
import { createPrepareChat } from '../../src/chat/prepare-message.ts'
import { type Chats, startChats } from '../../src/chat/start.ts'
import type { Hub } from '../../src/hub/hub.ts'
import { type Sender, startSender } from '../../src/notify/sender.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import type { AskInput, Request } from '../../src/protocol/index.ts'
import { createLog } from '../../src/server/log.ts'
import { type Served, serve } from '../../src/server/serve.ts'
import { testKey } from '../setup/databases.ts'

export const inbox = 'https://beckon.example'
export const shipIt: AskInput = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

export interface TestNode {
  hub: Hub
  database: string
  logged: string[]
  /** Lets time pass by the database's clock. */
  pass(ms: number): void
  /** Sends messages and takes presses from now on, as `beckon serve` does. */
  start(): { chats: Chats; sender: Sender }
  serve(): Promise<Served>
  close(): Promise<void>
}

const nodes: TestNode[] = []
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close()
})

/** A server of a team, with times that tests can wait for. */
export async function openNode(database: string, { user = 'ana', lease = 60_000 } = {}): Promise<TestNode> {
  let moved = 0
  const hub = await openLocalHub({
    database,
    env: { BECKON_KEY: testKey },
    caller: { user, directory: '/work' },
    shift: () => moved,
    sweeps: false,
  })
  const logged: string[] = []
  const note = (about: object, what: string) => void logged.push(`${what} ${JSON.stringify(about)}`)
  const log = { warn: note, info: note }
  const ends: (() => Promise<void>)[] = [() => hub.close()]
  let running: ReturnType<TestNode['start']> | null = null
  const node: TestNode = {
    hub,
    database,
    logged,
    pass: ms => {
      moved += ms
    },
    start() {
      if (running) return running
      const chats = startChats({ hub, chat: hub.chat, log, timing: { look: 20, lease } })
      const prepareChat = createPrepareChat(hub.chat, log)
      const sender = startSender({ hub, outbox: hub.outbox, inbox, log, prepareChat, random: () => 0 })
      ends.push(async () => void (await Promise.all([chats.close(), sender.close()])))
      running = { chats, sender }
      return running
    },
    async serve() {
      const { answerCallback } = node.start().chats
      const options = {
        hub,
        log: createLog('silent'),
        version: '0.0.0',
        port: 0,
        publicUrl: inbox,
        names: ['127.0.0.1'],
        trustedProxies: ['127.0.0.1'],
      }
      const served = await serve({ ...options, answerCallback })
      ends.push(() => served.close())
      return served
    },
    async close() {
      for (const end of ends.splice(0).reverse()) await end()
    },
  }
  nodes.push(node)
  return node
}

/** What history says: who answered what, and where. */
export async function outcomeOf(hub: Hub, id: string): Promise<Request['outcome']> {
  return (await hub.wait(id, { for: 20_000 })).outcome
}

export async function expectPending(hub: Hub, id: string): Promise<void> {
  expect((await hub.get(id)).status).toBe('pending')
}
