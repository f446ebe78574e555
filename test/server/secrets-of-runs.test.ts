import { describe, expect, it } from 'vitest'
import { createHttpHub } from '../../src/client/http-hub.ts'
import type { HubApi } from '../../src/protocol/index.ts'
import { databases } from '../setup/databases.ts'
import { call, signIn, startServer, type TestServer } from './test-server.ts'

const apiKey = { kind: 'dependency', type: 'api_key', name: 'KEY', description: 'd' } as const
const value = 'canary-0123456789'
const refused = { code: 'not_allowed' }

describe.each(databases)('the secret of a run on $name', ({ fresh }) => {
  it('goes to the token that started the run and to the ask token bound to it, again and again while it lives', async () => {
    const server = await startServer(await fresh())
    for (const scope of ['run', 'answer', 'admin'] as const) {
      const starter = await server.client(scope)
      const { run, id, agent } = await secretOfRun(server, starter)
      expect((await agent.use(id)).value).toBe(value)
      expect((await starter.use(id, { again: true })).value).toBe(value)
      expect((await agent.use(id, { again: true })).value).toBe(value)
      // The same token starts it again, as after a sleep.
      await starter.runs.change(run, { status: 'paused' })
      await starter.runs.start({ again: run, command: ['agent'], cwd: '/work' })
      expect((await agent.use(id, { again: true })).value).toBe(value)
    }
  })

  it('goes to no other token, whatever its scope, and to no browser', async () => {
    const server = await startServer(await fresh())
    const starter = await server.client('run')
    const local = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    for (const { id } of [await secretOfRun(server, starter), await secretOfRun(server, server.hub, local.id)]) {
      for (const scope of ['answer', 'admin'] as const) {
        const other = await server.client(scope)
        await expect(other.use(id)).rejects.toMatchObject(refused)
        await expect(other.use(id, { again: true })).rejects.toMatchObject(refused)
      }
      for (const scope of ['ask', 'run'] as const) {
        const other = await server.client(scope)
        await expect(other.use(id, { again: true })).rejects.toMatchObject({ code: 'not_found' })
      }
      const headers = { cookie: await signIn(server), origin: server.url }
      const byPage = await call(server, 'POST', `/api/requests/${id}/value`, { headers, body: { again: true } })
      expect(byPage.status).toBe(403)
      expect(byPage.text).not.toContain(value)
      expect((await server.hub.get(id)).usedAt).toBeNull()
    }
  })

  it('cannot be reached by an admin who takes over the run, or makes a token for its agent', async () => {
    const server = await startServer(await fresh())
    const starter = await server.client('run')
    const local = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    for (const { id, run } of [await secretOfRun(server, starter), await secretOfRun(server, server.hub, local.id)]) {
      for (const scope of ['answer', 'admin'] as const) {
        const other = await server.client(scope)
        await expect(other.runs.start({ again: run, command: ['x'], cwd: '/work' })).rejects.toMatchObject(refused)
        await expect(other.tokens.create({ scope: 'ask', run })).rejects.toMatchObject(refused)
        // It joins what the agent asked, and still gets no value.
        expect((await other.raise({ ...apiKey, run })).id).toBe(id)
        await expect(other.use(id, { again: true })).rejects.toMatchObject(refused)
      }
      expect((await server.hub.tokens.list()).filter(token => token.run === run && token.name === 'admin')).toEqual([])
    }
  })

  it('of a run of this machine goes to the run itself, and to the ask token that was made for its agent here', async () => {
    const server = await startServer(await fresh())
    const { id: run } = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    const { id, agent } = await secretOfRun(server, server.hub, run)
    expect((await server.hub.use(id)).value).toBe(value)
    expect((await agent.use(id, { again: true })).value).toBe(value)
  })

  it('of a run on another machine is not handed out on the machine of the hub', async () => {
    const server = await startServer(await fresh())
    const starter = await server.client('run', { host: 'far-away' })
    const { id, run } = await secretOfRun(server, starter)
    await expect(server.hub.use(id)).rejects.toMatchObject(refused)
    await expect(server.hub.tokens.create({ scope: 'ask', run })).rejects.toMatchObject(refused)
    const asker = await server.client('ask')
    const outside = await asker.raise(apiKey)
    await server.hub.answer(outside.id, { value })
    await expect(server.hub.use(outside.id)).rejects.toMatchObject(refused)
    expect((await asker.use(outside.id)).value).toBe(value)
    expect((await starter.use(id)).value).toBe(value)
  })
})

/** A run whose agent asked for a secret and has it sealed; `starter` starts it unless it exists. */
async function secretOfRun(server: TestServer, starter: HubApi, existing?: string) {
  const run = existing ?? (await starter.runs.start({ command: ['agent'], cwd: '/work' })).id
  const { secret } = await starter.tokens.create({ scope: 'ask', run })
  const agent = createHttpHub({ url: server.url, token: secret, agent: 'script', directory: '/work' })
  const { id } = await agent.raise(apiKey)
  await server.hub.answer(id, { value })
  return { run, id, agent }
}
