import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/protocol/operations/index.ts'
import { addressesOf, readPublicUrl } from '../../src/server/access/addresses.ts'
import { createClientAddress } from '../../src/server/access/client-address.ts'
import { createStaticPage } from '../../src/server/static-page.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { call, startServer } from './test-server.ts'

const publicUrl = 'https://example.com/beckon'
const built = join(import.meta.dirname, '../../dist/web')

describe('a server below a path', () => {
  it('serves calls with the path and without it, and nothing beside it', async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'), { publicUrl })
    const token = await server.token('admin', { name: 'mina' })
    const get = (path: string) => call(server, 'GET', path, { token, headers: { host: 'example.com' } })
    for (const path of ['/beckon/api/requests', '/api/requests', '/beckon/api/requests?limit=1'])
      expect([path, (await get(path)).json]).toMatchObject([path, { requests: [], next: null }])
    expect(await get('/beckon/beckon/api/requests')).toMatchObject({ status: 200, json: null })
    expect(await get('/beckon')).toMatchObject({ status: 308, headers: { location: '/beckon/' } })
    expect(await get('/beckon?view=urgent')).toMatchObject({ headers: { location: '/beckon/?view=urgent' } })
    expect((await get('/beckon/healthz')).json).toMatchObject({ ok: true })
    const asked = await call(server, 'POST', '/beckon/api/requests', {
      token,
      body: { questions: [{ question: '?' }] },
    })
    expect(asked.headers.location).toBe(`/beckon/api/requests/${asked.json.id}`)
  })

  it('makes links below it, for browsers and phones', async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'), { publicUrl })
    const token = await server.token('admin', { name: 'mina' })
    expect(server.url).toBe(publicUrl)
    expect(await server.signInLink({ name: 'mina', scope: 'admin' })).toMatch(`${publicUrl}/#signin=beckon_link_`)
    expect(await server.phoneLink('mina')).toMatch(`${publicUrl}/#signin=beckon_link_`)
    const { json } = await call(server, 'POST', '/beckon/api/session/phone-links', { token, body: {} })
    expect(json.url).toMatch(`${publicUrl}/#signin=beckon_link_`)
    const signedIn = await call(server, 'POST', '/beckon/api/session', { body: { secret: json.url.split('=')[1] } })
    expect(signedIn.headers['set-cookie']?.[0]).toMatch(/^__Secure-beckon=\S+; Path=\/beckon\/; /)
  })

  it('sends a page that names its files below it, compressed or not', () => {
    const page = createStaticPage(built, '/beckon')
    const plain = Buffer.from(page.find('/requests/req_1', '', true).body).toString()
    const names = [...plain.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(4)
    expect(names.filter(name => !name?.startsWith('/beckon/'))).toEqual([])
    const [br, gzip] = ['br', 'gzip'].map(encoding => page.find('/', encoding, true).body as Uint8Array)
    expect(brotliDecompressSync(br as Uint8Array).toString()).toBe(plain)
    expect(gunzipSync(gzip as Uint8Array).toString()).toBe(plain)
  })
})

describe('--public-url', () => {
  it('takes a path, with or without a slash at its end', () => {
    expect(readPublicUrl('https://example.com/beckon/', '--public-url')).toBe(publicUrl)
    expect(readPublicUrl('https://example.com/tools/beckon', '--public-url')).toBe('https://example.com/tools/beckon')
    expect(readPublicUrl('https://Example.com:443/', '--public-url')).toBe('https://example.com')
    const { cookie, cookiePath } = addressesOf({ host: '127.0.0.1', port: 1, tls: false, publicUrl, names: [] })
    expect([cookie, cookiePath]).toEqual(['__Secure-beckon', '/beckon/'])
  })

  it.each([
    'https://example.com/a?b',
    'https://example.com/a#b',
    'https://me@example.com/',
    'https://example.com/a%20b',
  ])('refuses %s', address => expect(() => readPublicUrl(address, '--public-url')).toThrow('must be an address like'))

  // Where a proxy removes the path, a call would otherwise be taken for one without it.
  it.each([...new Set([...operations.map(({ path }) => path.split('/')[1]), 'assets', 'chat'])])(
    'refuses https://example.com/%s, a path of its own',
    path => {
      for (const address of [`https://example.com/${path}`, `https://example.com/${path}/x`])
        expect(() => readPublicUrl(address, '--public-url')).toThrow('which is a path of the server itself')
    },
  )
})

describe('the address of a caller', () => {
  const trusting = createClientAddress(['10.0.0.0/8', 'fd00::1'])
  const from = (remote: string, forwarded?: string) => ({ remote, header: () => forwarded })

  it('is the last one that a trusted proxy vouches for', () => {
    expect(trusting(from('10.0.0.5', '203.0.113.9'))).toBe('203.0.113.9')
    expect(trusting(from('10.0.0.5', '1.1.1.1, 203.0.113.9, 10.0.0.7'))).toBe('203.0.113.9')
    expect(trusting(from('fd00::1', '2001:db8::9'))).toBe('2001:db8::9')
    expect(trusting(from('::ffff:10.0.0.5', '203.0.113.9'))).toBe('203.0.113.9')
  })

  it('is the other end of the connection in all other cases', () => {
    expect(trusting(from('203.0.113.9', '10.0.0.1'))).toBe('203.0.113.9')
    expect(trusting(from('10.0.0.5'))).toBe('10.0.0.5')
    expect(trusting(from('10.0.0.5', 'unknown'))).toBe('10.0.0.5')
    expect(createClientAddress([])(from('127.0.0.1', '203.0.113.9'))).toBe('127.0.0.1')
  })

  it.each(['proxy.internal', '10.0.0.0/33', '10.0.0.0/8/8', ''])('is not taken from "%s"', proxy =>
    expect(() => createClientAddress([proxy])).toThrow('--trusted-proxy must be an address or a network'),
  )
})
