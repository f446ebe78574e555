import { join } from 'node:path'
import { validate } from '@scalar/openapi-parser'
import { expect, it } from 'vitest'
import { operations } from '../../src/protocol/operations/index.ts'
import { createApp } from '../../src/server/app.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { call, startServer } from './test-server.ts'

it('the API is described in valid OpenAPI 3.1, which is read without a token', async () => {
  const server = await startServer(join(temporaryFolder(), 'beckon.db'))
  const { json, headers } = await call(server, 'GET', '/api/openapi.json')
  expect(headers['content-type']).toBe('application/json')
  const { valid, errors, version } = await validate(json)
  expect(errors ?? []).toEqual([])
  expect([valid, version]).toEqual([true, '3.1'])
  expect(json.servers).toEqual([{ url: server.url }])
  expect(json.components.schemas.Ask.anyOf[0].properties.questions.items.required).toEqual(['question'])
})

it('pages of other sites cannot read the description', async () => {
  const server = await startServer(join(temporaryFolder(), 'beckon.db'))
  const statusWith = async (headers: Record<string, string>) =>
    (await call(server, 'GET', '/api/openapi.json', { headers })).status
  expect(await statusWith({ origin: 'https://evil.example' })).toBe(403)
  expect(await statusWith({ host: 'evil.example' })).toBe(421)
})

it('the table of operations matches the routes of the server', () => {
  const anything: object = new Proxy(() => {}, { get: (_, name) => (name === 'operations' ? operations : anything) })
  const routes = createApp(anything as never).routes.flatMap(({ method, path }) =>
    method === 'ALL' || path.includes('*') ? [] : [`${method} ${path}`],
  )
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(routes.sort())
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
})

it('every operation requires the scope that it documents', async () => {
  const server = await startServer(join(temporaryFolder(), 'beckon.db'))
  const run = await server.hub.runs.start({ command: ['agent'], cwd: '/' })
  const tokens = {
    ask: await server.token('ask', { run: run.id }),
    run: await server.token('run'),
    answer: await server.token('answer'),
  }
  const { id } = await server.hub.raise({ questions: [{ question: 'Ship it?' }], run: run.id })
  for (const { method, path, scope, body: sends } of operations) {
    const url = path.replace(/:id|:run/, path.startsWith('/api/runs') ? run.id : path.includes('tokens') ? 'tok_x' : id)
    const body = path.endsWith('deadline') ? { timeout: null } : {}
    const headers: Record<string, string> = sends === 'bytes' ? { 'content-type': 'application/octet-stream' } : {}
    const status = async (token: string) => (await call(server, method, url, { token, headers, body })).status
    if (scope !== 'ask' && scope !== null) expect([url, await status(tokens.ask)]).toEqual([url, 403])
    if (scope === 'answer' || scope === 'admin') expect([url, await status(tokens.run)]).toEqual([url, 403])
    if (scope === 'admin') expect([url, await status(tokens.answer)]).toEqual([url, 403])
    if (scope === 'ask') expect([url, await status(tokens.ask)]).not.toEqual([url, 403])
  }
})

it('the page of the API works without a script', async () => {
  const server = await startServer(join(temporaryFolder(), 'beckon.db'))
  const { text, headers } = await call(server, 'GET', '/api/docs', { token: await server.token('answer') })
  for (const { path } of operations) expect(text).toContain(path)
  expect(text).not.toContain('<script')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
})
