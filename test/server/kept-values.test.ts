import { describe, expect, it } from 'vitest'
import { createHttpHub } from '../../src/client/http-hub.ts'
import type { HubApi } from '../../src/protocol/index.ts'
import { databases } from '../setup/databases.ts'
import { startServer, type TestServer } from './test-server.ts'

const apiKey = { kind: 'dependency', type: 'api_key', name: 'KEY', description: 'd' } as const
const value = 'canary-0123456789'
const everywhere = { everywhere: true }

describe.each(databases)('a kept value on $name', ({ fresh }) => {
  it('belongs to the token that started the run, and is given to its later runs', async () => {
    const server = await startServer(await fresh())
    const runner = await server.client('run', { host: 'far' })
    await keepFor(server, runner)
    const { id, status } = await askInNewRun(runner)
    expect(status).toBe('answered')
    expect((await runner.use(id)).value).toBe(value)
    // The agent of a later run has an ask token of its own.
    const { id: run } = await runner.runs.start({ command: ['agent'], cwd: '/work' })
    const { secret } = await runner.tokens.create({ scope: 'ask', run })
    const agent = createHttpHub({ url: server.url, token: secret, agent: 'script', directory: '/work' })
    const asked = await agent.raise(apiKey)
    expect(asked.status).toBe('answered')
    expect((await agent.use(asked.id)).value).toBe(value)
    const [kept] = await server.hub.kept.list()
    const token = (await server.hub.tokens.list()).find(({ scope }) => scope === 'run')
    expect(kept).toMatchObject({ user: 'run', token: token?.id })
  })

  it('is not shared by two tokens of the same name, here two without one', async () => {
    const server = await startServer(await fresh())
    const [one, other] = [await server.client('run', { host: 'far' }), await server.client('run', { host: 'far' })]
    await keepFor(server, one)
    await keepFor(server, one, everywhere)
    expect((await askInNewRun(other)).status).toBe('pending')
    await keepFor(server, other)
    expect((await server.hub.kept.list()).map(({ name }) => name)).toEqual(['KEY', 'KEY-2', 'KEY-3'])
  })

  it('that was kept on this machine is never given to a run over HTTP, whatever the name of its token', async () => {
    const server = await startServer(await fresh(), {
      hub: { caller: { user: 'owner', directory: '/work', host: 'here' } },
    })
    await keepFor(server, server.hub)
    await keepFor(server, server.hub, everywhere)
    for (const scope of ['run', 'answer', 'admin'] as const) {
      const namesake = await server.client(scope, { name: 'owner', host: 'here' })
      expect((await askInNewRun(namesake)).status).toBe('pending')
    }
    // Not even in a run of this machine, when the ask comes over HTTP.
    const { id: run } = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    const bound = await server.client('ask', { run })
    expect((await bound.raise(apiKey)).status).toBe('pending')
    expect((await askInNewRun(server.hub)).status).toBe('answered')
  })

  it('that was kept for a run over HTTP is never given on this machine', async () => {
    const server = await startServer(await fresh(), {
      hub: { caller: { user: 'owner', directory: '/work', host: 'here' } },
    })
    const namesake = await server.client('run', { name: 'owner', host: 'here' })
    await keepFor(server, namesake)
    await keepFor(server, namesake, everywhere)
    expect((await askInNewRun(server.hub)).status).toBe('pending')
    expect((await server.hub.raise(apiKey)).status).toBe('pending')
    const { id: run } = await namesake.runs.start({ command: ['agent'], cwd: '/work' })
    expect((await server.hub.raise({ ...apiKey, run })).status).toBe('pending')
  })

  it('is deleted with its token, and not given to a new token of the same name', async () => {
    const server = await startServer(await fresh())
    const { token, secret } = await server.hub.tokens.create({ scope: 'run', name: 'nightly' })
    const old = createHttpHub({ url: server.url, token: secret, agent: 'script', directory: '/work', host: 'far' })
    await keepFor(server, old)
    const { run } = await askInNewRun(old, { ...apiKey, name: 'OTHER' })
    await keepFor(server, server.hub)
    await server.hub.tokens.revoke(token.id)
    expect(await server.hub.kept.list()).toMatchObject([{ user: 'owner', token: null }])
    expect((await server.hub.events()).filter(({ type }) => type === 'kept.removed')).toMatchObject([
      { data: { name: 'KEY', by: 'owner' } },
    ])
    const again = await server.client('run', { name: 'nightly', host: 'far' })
    expect((await askInNewRun(again)).status).toBe('pending')
    // Nobody could ever take it.
    const [late] = (await server.hub.list({ run: run as string })).requests
    await expect(server.hub.answer(late?.id ?? '', { value, keep: true })).rejects.toMatchObject({ code: 'invalid' })
    expect(await server.hub.answer(late?.id ?? '', { value })).toMatchObject({ won: true })
  })
})

async function askInNewRun(hub: HubApi, ask: Parameters<HubApi['raise']>[0] = apiKey) {
  const { id: run } = await hub.runs.start({ command: ['agent'], cwd: '/work' })
  return hub.raise({ ...ask, run })
}

/** A person keeps the value that a run of this caller asked for. */
async function keepFor(server: TestServer, hub: HubApi, keep: true | { everywhere: boolean } = true): Promise<void> {
  const { id: run } = await hub.runs.start({ command: ['agent'], cwd: '/work' })
  const { id, status } = await hub.raise({ ...apiKey, run })
  if (status === 'pending') expect(await server.hub.answer(id, { value, keep })).toMatchObject({ won: true })
  else expect(await server.hub.answer(id, { value, keep })).toMatchObject({ replay: true })
}
