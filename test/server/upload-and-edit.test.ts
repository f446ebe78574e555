import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AskInput } from '../../src/protocol/index.ts'
import { temporaryFolder, testKey } from '../setup/databases.ts'
import { call, signIn, startServer, type TestServer } from './test-server.ts'

const file: AskInput = { kind: 'dependency', type: 'file', name: 'SCHEMA', description: 'the schema' }
const action = { command: 'git stash drop', cwd: '/work' }

async function startFileServer(limits: { maxUpload?: number } = {}) {
  const home = temporaryFolder()
  const cwd = temporaryFolder()
  const hub = { env: { BECKON_KEY: testKey, BECKON_HOME: home }, caller: { user: 'owner', directory: cwd } }
  const server = await startServer(join(home, 'beckon.db'), { home, hub, limits })
  return { server, home, cwd }
}

describe('an uploaded file', () => {
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

  it('is stored readable only by the user, and its path is the answer', async () => {
    const { server, home } = await startFileServer()
    const { id } = await server.hub.raise(file)
    const { status, json } = await upload(server, id, await browser(server))
    expect([status, json.outcome]).toMatchObject([200, { status: 'answered', by: 'person', channel: 'web' }])
    const path = join(home, 'files', id, 'my_.._schema.sql')
    expect((await server.hub.use(id)).value).toBe(path)
    expect(readFileSync(path, 'utf8')).toBe('create table')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is as large as the operator says, whether its length is announced or not', async () => {
    const { server, home } = await startFileServer({ maxUpload: 1_024 })
    const { id } = await server.hub.raise(file)
    const headers = await browser(server)
    const tooLarge = 'x'.repeat(1_025)
    expect(await upload(server, id, headers, tooLarge)).toMatchObject({
      status: 413,
      json: { error: { message: 'The body is larger than 1024 bytes.' } },
    })
    const authorization = `Bearer ${await server.token('answer')}`
    const streamed = await fetch(`${server.url}/api/requests/${id}/file?name=x`, {
      method: 'PUT',
      headers: bytes({ authorization }),
      body: new Blob([tooLarge]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(streamed.status).toBe(413)
    expect(existsSync(join(home, 'files', id))).toBe(false)
    expect((await upload(server, id, headers, 'x'.repeat(1_024))).status).toBe(200)
  })

  it('is removed if somebody else answered first, or if no file was asked for', async () => {
    const { server, home, cwd } = await startFileServer()
    const headers = await browser(server)
    const { id } = await server.hub.raise(file)
    writeFileSync(join(cwd, 'schema.sql'), 'create table')
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

  it('is accepted only from our own page, from a person who may answer, and as bytes', async () => {
    const { server } = await startFileServer()
    const { id } = await server.hub.raise(file)
    const { cookie } = await browser(server)
    expect(await upload(server, id, { cookie })).toMatchObject({ status: 403 })
    expect(await upload(server, id, { cookie, origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    const url = `/api/requests/${id}/file?name=x`
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json']) {
      const headers = { cookie, origin: server.url, 'content-type': type, 'content-length': '1' }
      expect(await call(server, 'PUT', url, { headers, body: 'x' })).toMatchObject({ status: 415 })
    }
    const token = await server.token('ask')
    expect(await upload(server, id, { authorization: `Bearer ${token}` })).toMatchObject({ status: 403 })
    expect((await server.hub.get(id)).status).toBe('pending')
    // Other operations do not accept bytes.
    const answer = { cookie, origin: server.url, 'content-type': 'application/octet-stream', 'content-length': '2' }
    expect(await call(server, 'PUT', `/api/requests/${id}/answer`, { headers: answer, body: '{}' })).toMatchObject({
      status: 415,
    })
  })
})

describe('a path as the answer over HTTP', () => {
  const answer = async (server: TestServer, id: string, value: string) =>
    call(server, 'PUT', `/api/requests/${id}/answer`, { token: await server.token('answer'), body: { value } })

  it('must be a file that exists, if the agent works on the machine of the server', async () => {
    const { server, cwd } = await startFileServer()
    const { id } = await server.hub.raise(file)
    const refused = await answer(server, id, 'schema.sql')
    expect([refused.status, refused.json.error.message]).toEqual([422, expect.stringContaining('no such file')])
    expect((await server.hub.get(id)).status).toBe('pending')
    writeFileSync(join(cwd, 'schema.sql'), 'create table')
    expect(await answer(server, id, 'schema.sql')).toMatchObject({ status: 200 })
  })

  it('is not looked up if the agent may work on another machine', async () => {
    const { server, cwd } = await startFileServer()
    writeFileSync(join(cwd, 'here.sql'), 'create table')
    symlinkSync('/', join(cwd, 'link'))
    const remote = await server.client('ask')
    // The same names lead elsewhere on the agent's machine: neither a file nor a link of ours decides.
    for (const value of ['not-here.sql', 'here.sql', 'link/etc/passwd']) {
      const { id } = await remote.raise({ ...file, description: value, agent: { cwd } })
      expect(await answer(server, id, value)).toMatchObject({ status: 200 })
    }
  })
})

describe('an edited command', () => {
  it('can be classified before it is sent, and is refused if the guard denies it', async () => {
    const { server } = await startFileServer()
    const { id } = await server.hub.raise({ kind: 'approval', action })
    const token = await server.token('answer')
    const verdict = await call(server, 'POST', `/api/requests/${id}/verdict`, {
      token,
      body: { command: 'git stash clear' },
    })
    expect(verdict.json).toEqual({
      verdict: 'ask',
      severity: 'medium',
      reasons: [{ rule: 'git/stash-drop', message: 'deletes stashed changes', span: [0, 15] }],
      safer: 'git stash list',
      steps: [
        {
          argv: ['git', 'stash', 'clear'],
          cwd: action.cwd,
          via: [],
          root: false,
          remote: false,
          span: [0, 15],
          verdict: 'ask',
          severity: 'medium',
          reasons: [{ rule: 'git/stash-drop', message: 'deletes stashed changes', span: [0, 15] }],
        },
      ],
      omitted: 0,
    })
    const answer = (edited: string) =>
      call(server, 'PUT', `/api/requests/${id}/answer`, { token, body: { value: 'yes', edited } })
    expect(await answer('rm -rf /')).toMatchObject({ status: 422 })
    // A critical command needs a terminal or a browser, not a token.
    expect(await answer('dropdb production')).toMatchObject({ status: 403 })
    expect((await server.hub.get(id)).status).toBe('pending')
    expect((await answer('git stash clear')).json.outcome).toMatchObject({
      status: 'answered',
      edited: { command: 'git stash clear' },
    })
  })

  it('can be critical if it is approved in a browser', async () => {
    const { server } = await startFileServer()
    const { id } = await server.hub.raise({ kind: 'approval', action })
    const headers = { cookie: await signIn(server), origin: server.url }
    const body = { value: 'yes', edited: 'dropdb production' }
    expect(await call(server, 'PUT', `/api/requests/${id}/answer`, { headers, body })).toMatchObject({ status: 200 })
  })
})
