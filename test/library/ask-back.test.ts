import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openLocalHub } from '../../src/open-hub.ts'
import type { AskOutcome, HubApi, Request } from '../../src/protocol/index.ts'
import { databases, testKey } from '../setup/databases.ts'
import { startProcess } from '../setup/start-process.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Told {
  heard?: string
  replied?: string
  outcome?: AskOutcome
}

function start(file: string, args: string[], env: NodeJS.ProcessEnv) {
  const child = startProcess(join(import.meta.dirname, file), args, { PATH: process.env.PATH, ...env })
  cleanups.push(() => child.kill('SIGKILL'))
  const told: Told[] = []
  child.on('message', message => told.push(message as Told))
  return { child, told, ended: once(child, 'exit') }
}

async function firstPending(hub: HubApi): Promise<Request> {
  for (;;) {
    const [request] = (await hub.list()).requests
    if (request) return request
    await sleep(10)
  }
}

describe.each(databases)('a program that is asked back on $name', ({ fresh }) => {
  it('gets the message again with the same id after it was killed in the middle, and then the answer', async () => {
    const database = await fresh()
    const env = { BECKON_KEY: testKey }
    const person = await openLocalHub({ database, env, caller: { user: 'ana' } })
    cleanups.push(() => person.close())
    const dying = start('processes/asker.ts', [database, 'die'], env)
    const { id, canReply } = await firstPending(person)
    expect(canReply).toBe(true)
    await person.messages.send(id, { text: 'Is it safe?' })
    await dying.ended
    const again = start('processes/asker.ts', [database], env)
    await expect.poll(() => again.told.length, { timeout: 15_000 }).toBe(2)
    await person.answer(id, { value: 'yes' })
    await again.ended
    const [message, reply] = (await person.get(id)).messages
    expect([...dying.told, ...again.told]).toMatchObject([
      { heard: message?.id },
      { heard: message?.id },
      { replied: message?.id },
      { outcome: { id, status: 'answered', value: 'yes' } },
    ])
    expect(reply).toMatchObject({ from: 'agent', text: 'About "Is it safe?": tested.' })
  })
})

it('over PostgreSQL with two nodes, one of which dies, the asker hears, replies and is answered', async () => {
  const [, postgres] = databases
  const database = (await postgres?.fresh()) ?? ''
  const env = { BECKON_KEY: testKey }
  const local = await openLocalHub({ database, env, caller: { user: 'ana' } })
  cleanups.push(() => local.close())
  const { secret } = await local.tokens.create({ scope: 'ask', name: 'ci' })
  const startNode = async (): Promise<[ChildProcess, string]> => {
    const { child } = start('../server/processes/node.ts', [database, 'http://127.0.0.1'], env)
    const [port] = await once(child, 'message')
    return [child, `http://127.0.0.1:${port}`]
  }
  const [first, firstUrl] = await startNode()
  const [, secondUrl] = await startNode()
  const byToken = { ...env, BECKON_TOKEN: secret }
  const dying = start('processes/asker.ts', [firstUrl, 'die'], byToken)
  const { id } = await firstPending(local)
  // Asked on one node, asked back past both of them.
  await local.messages.send(id, { text: 'Is it safe?' })
  await dying.ended
  first.kill('SIGKILL')
  const again = start('processes/asker.ts', [secondUrl], byToken)
  await expect.poll(() => again.told.length, { timeout: 15_000 }).toBe(2)
  await local.messages.send(id, { text: 'Sure?' })
  await expect.poll(() => again.told.length, { timeout: 15_000 }).toBe(4)
  await local.answer(id, { value: 'no' })
  await again.ended
  expect(again.told.at(-1)).toMatchObject({ outcome: { id, value: 'no' } })
  const { messages } = await local.get(id)
  expect(messages.map(({ from, by }) => `${from} ${by}`)).toEqual([
    'person ana',
    'agent script',
    'person ana',
    'agent script',
  ])
  expect(dying.told).toEqual([{ heard: messages[0]?.id }])
})
