import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AskInput } from '../../src/index.ts'
import type { Judge } from '../../src/server/route-context.ts'
import { temporaryFolder, testKey } from '../setup/databases.ts'
import { call, signIn, startServer, type TestServer } from './serving.ts'

const file: AskInput = { kind: 'dependency', type: 'file', name: 'SCHEMA', description: 'the schema' }
const action = { command: 'rm -rf build', cwd: '/work', digest: 'd', severity: 'medium' as const }

async function serving(judge: Judge | null = null) {
  const home = temporaryFolder()
  const hub = { env: { BECKON_KEY: testKey, BECKON_HOME: home }, caller: { user: 'owner', directory: '/work' } }
  const server = await startServer(join(home, 'beckon.db'), { home, judge, hub })
  return { server, home }
}

describe('a file from a person', () => {
  const bytes = (headers: Record<string, string>) => ({ ...headers, 'content-type': 'application/octet-stream' })
  const upload = (
    server: TestServer,
    id: string,
    headers: Record<string, string>,
    body = 'create table',
    name = 'my ../schema.sql',
  ) =>
    call(server, 'PUT', `/api/requests/${id}/file?name=${encodeURIComponent(name)}`, {
      headers: bytes({ 'content-length': String(Buffer.byteLength(body)), ...headers }),
      body,
    })
  const browser = async (server: TestServer) => ({ cookie: await signIn(server), origin: server.url })

  it('is laid where the agent can read it, for one user alone, and its path is the answer', async () => {
    const { server, home } = await serving()
    const { id } = await server.hub.raise(file)
    const { status, json } = await upload(server, id, await browser(server))
    expect([status, json.outcome]).toMatchObject([200, { status: 'answered', by: 'person', channel: 'web' }])
    const path = join(home, 'files', id, 'my_.._schema.sql')
    expect((await server.hub.use(id)).value).toBe(path)
    expect(readFileSync(path, 'utf8')).toBe('create table')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is gone again where somebody else was first, or it is not asked for', async () => {
    const { server, home } = await serving()
    const headers = await browser(server)
    const { id } = await server.hub.raise(file)
    await server.hub.answer(id, { value: 'schema.sql' })
    expect(await upload(server, id, headers)).toMatchObject({ status: 409 })
    const question = await server.hub.raise({ questions: [{ question: 'Ship it?' }] })
    expect(await upload(server, question.id, headers)).toMatchObject({ status: 422 })
    const elsewhere = await server.hub.runs.start({ command: ['x'], cwd: '/work', host: `not-${hostname()}` })
    const far = await server.hub.raise({ ...file, run: elsewhere.id })
    const { status, json } = await upload(server, far.id, headers)
    expect([status, json.error.message]).toEqual([422, expect.stringContaining(`works on not-${hostname()}`)])
    expect(existsSync(join(home, 'files')) ? readdirSync(join(home, 'files')) : []).toEqual([])
  })

  it('comes from our own page, by somebody who may answer, and as a file', async () => {
    const { server } = await serving()
    const { id } = await server.hub.raise(file)
    const { cookie } = await browser(server)
    expect(await upload(server, id, { cookie })).toMatchObject({ status: 403 })
    expect(await upload(server, id, { cookie, origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    const place = `/api/requests/${id}/file?name=x`
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json']) {
      const headers = { cookie, origin: server.url, 'content-type': type, 'content-length': '1' }
      expect(await call(server, 'PUT', place, { headers, body: 'x' })).toMatchObject({ status: 415 })
    }
    const token = await server.token('ask')
    expect(await upload(server, id, { authorization: `Bearer ${token}` })).toMatchObject({ status: 403 })
    expect((await server.hub.get(id)).status).toBe('pending')
    // Everywhere else a file is no document.
    const answer = { cookie, origin: server.url, 'content-type': 'application/octet-stream', 'content-length': '2' }
    expect(await call(server, 'PUT', `/api/requests/${id}/answer`, { headers: answer, body: '{}' })).toMatchObject({
      status: 415,
    })
  })
})

describe("a person's own version of a command", () => {
  const judge: Judge = async (_, command) => ({
    verdict: command.includes('/') ? 'deny' : 'ask',
    severity: command.includes('all') ? 'critical' : 'low',
    reasons: [{ rule: 'x', message: 'deletes', span: [0, 2] }],
    safer: null,
  })

  it('is judged before it is sent, and refused where the guard refuses it', async () => {
    const { server } = await serving(judge)
    const { id } = await server.hub.raise({ kind: 'approval', action })
    const token = await server.token('answer')
    const verdict = await call(server, 'POST', `/api/requests/${id}/verdict`, { token, body: { command: 'rm build' } })
    expect(verdict.json).toEqual({
      verdict: 'ask',
      severity: 'low',
      reasons: [{ rule: 'x', message: 'deletes', span: [0, 2] }],
      safer: null,
    })
    const answer = (edited: string) =>
      call(server, 'PUT', `/api/requests/${id}/answer`, { token, body: { value: 'yes', edited } })
    expect(await answer('rm -rf /')).toMatchObject({ status: 422 })
    // What is critical takes a terminal or a browser, and a token is neither.
    expect(await answer('rm all')).toMatchObject({ status: 403 })
    expect((await server.hub.get(id)).status).toBe('pending')
    expect((await answer('rm build')).json.outcome).toMatchObject({ status: 'answered', edited: 'rm build' })
  })

  it('may be critical in a browser, where it takes a deliberate gesture', async () => {
    const { server } = await serving(judge)
    const { id } = await server.hub.raise({ kind: 'approval', action })
    const headers = { cookie: await signIn(server), origin: server.url }
    const body = { value: 'yes', edited: 'rm all' }
    expect(await call(server, 'PUT', `/api/requests/${id}/answer`, { headers, body })).toMatchObject({ status: 200 })
  })
})
