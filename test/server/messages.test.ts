import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createHttpHub } from '../../src/client/http-hub.ts'
import { databases } from '../setup/databases.ts'
import { call, signIn, startServer, type TestServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const heard = { ...shipIt, canReply: true }

describe.each(databases)('asking back over HTTP on $name', ({ fresh }) => {
  it('knows by their rights who writes, whatever they say', async () => {
    const server = await startServer(await fresh())
    const [agent, other, person] = await Promise.all([server.token('ask'), server.token('ask'), server.token('answer')])
    const { json: asked } = await call(server, 'POST', '/api/requests', { token: agent, body: heard })
    const path = `/api/requests/${asked.id}/messages`
    const send = (token: string, body: object) => call(server, 'POST', path, { token, body })

    expect((await send(agent, { text: 'I am the person', from: 'person' })).status).toBe(422)
    expect((await send(other, { text: 'Not mine' })).status).toBe(404)
    // A person's token is not the asker, so it cannot speak for it.
    expect((await send(person, { text: 'Forged', as: 'agent' })).status).toBe(403)
    await send(agent, { text: 'Mine', by: 'somebody' })
    await send(person, { text: 'For a chat', by: 'ana' })
    const cookie = await signIn(server, 'answer', 'bo')
    const inBrowser = { cookie, origin: `http://127.0.0.1:${server.port}` }
    const { json } = await call(server, 'POST', path, { headers: inBrowser, body: { text: 'On the page', by: 'eve' } })
    const written = json.messages.map(({ from, by, text }: Record<string, string>) => [from, by, text])
    expect(written).toEqual([
      ['agent', asked.agent.name, 'Mine'],
      ['person', 'ana', 'For a chat'],
      ['person', 'bo', 'On the page'],
    ])

    const last = json.messages[2].id
    const confirm = (options: object) => call(server, 'PUT', `${path}/heard`, { ...options, body: { last } })
    expect((await confirm({ headers: inBrowser })).status).toBe(403)
    expect((await confirm({ token: other })).status).toBe(404)
    const unheard = async () => (await call(server, 'GET', `${path}/unheard`, { token: agent })).json.messages
    expect(await unheard()).toEqual(json.messages.slice(1))
    expect((await confirm({ token: agent })).status).toBe(200)
    expect(await unheard()).toEqual([])
  })

  it('reaches an asker on another server, and the next one when that server dies before it was taken', async () => {
    const database = await fresh()
    const [first, second] = [await startServer(database), await startServer(database)]
    const token = await first.token('ask')
    const person = await second.client('answer', { name: 'ana' })
    const { json: asked } = await call(first, 'POST', '/api/requests', { token, body: heard })
    const listen = (server: TestServer) =>
      call(server, 'GET', `/api/requests/${asked.id}?wait=60&orMessage=true`, { token })
    const outcome = call(second, 'GET', `/api/requests/${asked.id}?wait=60`, { token })
    const listening = listen(first)
    await until(async () => (await waitsOn(first)) === 1)
    await person.messages.send(asked.id, { text: 'Why now?' })
    expect((await listening).json).toMatchObject({ status: 'pending', messages: [{ text: 'Why now?', by: 'ana' }] })
    await first.stop()
    const asker = createHttpHub({ url: second.url, token })
    const [message] = (await listen(second)).json.messages
    expect(await asker.messages.unheard(asked.id)).toEqual([message])
    await asker.messages.confirm(asked.id, message.id)
    await asker.messages.send(asked.id, { text: 'The tests pass.' })
    const waitingOn = listen(second)
    await until(async () => (await waitsOn(second)) === 2)
    await person.answer(asked.id, { value: 'yes' })
    for (const waited of [outcome, waitingOn]) expect((await waited).json.status).toBe('answered')
    await asker.close()
  })
})

async function waitsOn(server: TestServer): Promise<number> {
  const { text } = await call(server, 'GET', '/metrics', { token: await server.token('answer') })
  return Number(/^beckon_waits_held (\d+)$/m.exec(text)?.[1])
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10)
}
