import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressPage } from '../../scripts/build/compress-page.ts'
import { operations } from '../../src/protocol/operations/index.ts'
import { createStaticPage } from '../../src/server/static-page.ts'
import { databases } from '../setup/databases.ts'
import { call, startServer } from './test-server.ts'

const accepted = { 'accept-encoding': 'gzip, br' }
const decompress = { br: brotliDecompressSync, gzip: gunzipSync }

it('an answer is compressed as the caller accepts it, and sent once', async () => {
  const server = await startServer(await sqliteFile())
  const token = await server.token('answer')
  for (let i = 0; i < 30; i += 1) await server.hub.raise({ questions: [{ question: `Is it ${'so '.repeat(i)}?` }] })
  const plain = await call(server, 'GET', '/api/inbox', { token })
  expect(plain.headers).not.toHaveProperty('content-encoding')

  const read = async (acceptEncoding: string) => {
    const response = await fetchBytes(server.url, '/api/inbox', token, { 'accept-encoding': acceptEncoding })
    const encoding = response.headers.get('content-encoding') as keyof typeof decompress
    expect(response.headers.get('vary')).toBe('accept-encoding')
    const bytes = Buffer.from(await response.arrayBuffer())
    return { encoding, json: JSON.parse(bytes.toString()), length: Number(response.headers.get('content-length')) }
  }
  for (const [header, encoding] of Object.entries({ gzip: 'gzip', 'gzip, br': 'br', 'br;q=0, gzip': 'gzip' })) {
    const found = await read(header)
    expect(found).toMatchObject({ encoding, json: plain.json })
    expect(found.length).toBeLessThan(plain.text.length / 4)
  }
  expect(await read('identity')).toMatchObject({ encoding: null, json: plain.json })

  const again = await call(server, 'GET', '/api/inbox', {
    token,
    headers: { 'if-none-match': plain.headers.etag as string },
  })
  expect([again.status, again.text]).toEqual([304, ''])
  await server.hub.raise({ questions: [{ question: 'Another one?' }] })
  const changed = await call(server, 'GET', '/api/inbox', {
    token,
    headers: { 'if-none-match': plain.headers.etag as string },
  })
  expect(changed.status).toBe(200)
})

it('what has a secret is never compressed', async () => {
  const server = await startServer(await sqliteFile())
  const admin = await server.token('admin')
  const created = await call(server, 'POST', '/api/tokens', {
    token: admin,
    headers: accepted,
    body: { scope: 'ask', name: 'a'.repeat(200) },
  })
  expect(created.json.secret).toBeTruthy()
  expect(created.headers).not.toHaveProperty('content-encoding')
  const results = operations.filter(({ compressible }) => compressible).map(({ result, name }) => result ?? name)
  // Every one was looked at: none has a token, a link, a draft or a sealed value.
  expect(results.sort()).toEqual([
    'CheckpointList',
    'Document',
    'Inbox',
    'Request',
    'RequestPage',
    'Run',
    'RunList',
    'RunLog',
    'docs',
  ])
})

it('a stream of events is not compressed', async () => {
  const server = await startServer(await sqliteFile())
  const token = await server.token('answer')
  const headers = { ...accepted, accept: 'text/event-stream' }
  const response = await fetchBytes(server.url, '/api/events', token, headers)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(response.headers.get('content-encoding')).toBe(null)
  await response.body?.cancel()
})

it('the files of the page are compressed when they are built, and found by what the browser accepts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-page-'))
  const script = 'export const greeting = "hello"\n'.repeat(200)
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'main.js'), script)
  compressPage(folder)
  const page = createStaticPage(folder)
  for (const encoding of ['br', 'gzip'] as const) {
    const { headers, body } = page.find('/main.js', encoding, false)
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-type': 'text/javascript; charset=utf-8' })
    expect(decompress[encoding](body as Uint8Array).toString()).toBe(script)
  }
  expect(Buffer.from(page.find('/main.js', '', false).body).toString()).toBe(script)
  expect(page.find('/main.js.br', '', false).headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' })
})

function fetchBytes(url: string, path: string, token: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
}

async function sqliteFile(): Promise<string> {
  const [sqlite] = databases
  return sqlite?.fresh() as Promise<string>
}
