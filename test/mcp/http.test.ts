import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox, until } from '../cli/sandbox.ts'
import { connectHttp } from './mcp-client.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

/** A real `beckon serve`, and a token. */
async function startServe(sandbox: Sandbox) {
  const { child, written } = sandbox.start(['serve', '--port', '0', '--no-link'])
  const url = await until(() => /^http\S+/.exec(written().stdout)?.[0], 'the address')
  return {
    url,
    token: async (scope: 'ask' | 'answer' | 'run', name = 'ci') =>
      (await sandbox.hub.tokens.create({ scope, name })).secret,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

describe('POST /mcp', () => {
  it('asks with the rights of the token, and shows nobody else', async () => {
    const sandbox = await createSandbox()
    const server = await startServe(sandbox)
    const { call } = await connectHttp(server.url, await server.token('ask', 'builder'))
    const other = await connectHttp(server.url, await server.token('ask', 'other'))
    const answered = call('ask', shipIt)
    const request = await sandbox.pending()
    expect(request.agent.name).toBe('builder')
    expect((await other.refusal('wait', { id: request.id })).code).toBe('not_found')
    expect((await other.refusal('cancel', { id: request.id })).code).toBe('not_found')
    await sandbox.hub.answer(request.id, { value: 'yes' })
    expect(await answered).toMatchObject({ id: request.id, status: 'answered', value: 'yes' })
    await until(async () => (await sandbox.hub.get(request.id)).deliveredAt, 'the delivery')
    const { id } = await call('ask', { ...shipIt, async: true })
    expect(await call('cancel', { id })).toMatchObject({ id, status: 'cancelled', by: 'builder' })
    const { client } = await connectHttp(server.url, await server.token('ask'))
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('permission')
  })

  it('opens no path of its machine: commands are judged by their words, and a yes is spent when it is returned', async () => {
    const sandbox = await createSandbox()
    const server = await startServe(sandbox)
    const { call, refusal } = await connectHttp(server.url, await server.token('ask'))
    expect((await refusal('approve', { command: 'git push --force' })).problems).toMatchObject([{ path: 'cwd' }])
    expect((await refusal('ask', { ...shipIt, attachments: ['/etc/hostname'] })).code).toBe('unsupported')
    const asked = call('approve', { command: 'git push --force', cwd: sandbox.cwd })
    const request = await sandbox.pending()
    expect(request).not.toHaveProperty('action.facts')
    await sandbox.hub.answer(request.id, { value: 'yes' })
    expect(await asked).toMatchObject({ verdict: 'allow', id: request.id })
    expect((await sandbox.hub.get(request.id)).usedAt).not.toBeNull()
    expect(await call('wait', { id: request.id })).toMatchObject({ verdict: 'deny' })
    const files = [join(sandbox.home, 'beckon.db'), '/etc/passwd']
    const reviewed = call('review', { title: 'Look', files })
    const review = await sandbox.pending()
    expect(review).toMatchObject({ kind: 'review', files })
    await sandbox.hub.answer(review.id, { value: 'approve' })
    expect(await reviewed).toMatchObject({ value: 'approve', feedback: null })
  })

  it('refuses other tokens, other sites, other methods and what is too large or too deep', async () => {
    const sandbox = await createSandbox()
    const server = await startServe(sandbox)
    const token = await server.token('ask')
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const accept = { accept: 'application/json, text/event-stream' }
    const send = async (body: unknown, headers: Record<string, string> = {}, method = 'POST') => {
      const type = { 'content-type': 'application/json' }
      const auth = { authorization: `Bearer ${token}` }
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const sent = method === 'POST' ? { body: text } : {}
      const headersSent = { ...type, ...accept, ...auth, ...headers }
      const response = await fetch(new URL('/mcp', server.url), { method, headers: headersSent, ...sent })
      return { status: response.status, text: await response.text(), allow: response.headers.get('allow') }
    }
    expect((await send(list)).status).toBe(200)
    for (const scope of ['answer', 'run'] as const) {
      const refused = await send(list, { authorization: `Bearer ${await server.token(scope)}` })
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('scope ask')])
    }
    expect((await send(list, { authorization: 'Bearer nothing' })).status).toBe(401)
    expect((await send(list, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await send(list, { 'content-type': 'text/plain' })).status).toBe(415)
    expect(await send('', {}, 'GET')).toMatchObject({ status: 405, allow: 'POST' })
    expect(await send('', {}, 'DELETE')).toMatchObject({ status: 405, allow: 'POST' })
    expect((await send('{"jsonrpc"')).status).toBe(400)
    expect((await send({ hello: 'world' })).status).toBe(400)
    expect((await send({ ...list, params: 'x'.repeat(9_000_000) })).status).toBe(413)
    expect((await send(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).status).toBe(413)
    expect((await send(list)).status).toBe(200)
  })

  it('leaves a request open when its caller goes, and returns tickets when the server ends', async () => {
    const sandbox = await createSandbox()
    const server = await startServe(sandbox)
    const token = await server.token('ask')
    const gone = await connectHttp(server.url, token)
    gone.call('ask', shipIt).catch(() => {})
    const { id } = await sandbox.pending()
    await gone.client.close()
    const { call } = await connectHttp(server.url, token)
    const waiting = call('ask', shipIt)
    const other = call('ask', { questions: [{ question: 'Other?' }] })
    await until(async () => (await sandbox.hub.list()).requests.length === 2, 'two requests')
    await server.stop()
    expect(await waiting).toMatchObject({ id, status: 'pending' })
    expect(await other).toMatchObject({ status: 'pending' })
  })
})
