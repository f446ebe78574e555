import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAllowedHosts } from '../../src/notify/callbacks/allowed-hosts.ts'
import { checkCallback } from '../../src/notify/callbacks/check-callback.ts'
import { postCallback } from '../../src/notify/callbacks/post-callback.ts'
import { isPublic } from '../../src/system/public-address.ts'
import { certificate } from './certificate.ts'
import { startReceiver } from './receiver.ts'

const list = (...entries: string[]) => readAllowedHosts(entries, '--callback-host')
const allows = (entries: string[], url: string) => list(...entries).allowsHost(new URL(url))
const delivery = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' })
const trusted = { ca: certificate().cert }
const here = ['127.0.0.0/8']

describe('an address', () => {
  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'])('%s is public', address =>
    expect(isPublic(address)).toBe(true),
  )

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.0.0.192', '192.0.2.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe', '::7f00:1', '64:ff9b::a9fe:a9fe'],
    ...['64:ff9b:1::1', '2002:7f00:1::', '2001:0:53aa::1', '2001:db8::1', 'fc00::1', 'fd12::1', 'fe80::1'],
    ...['fe80::1%lo', 'fec0::1', 'ff02::1', '3fff::1', '100::1', 'not an address', ''],
  ])('%s is not public', address => expect(isPublic(address)).toBe(false))
})

describe('the list of hosts', () => {
  it('names a host and its port', () => {
    expect(allows(['hooks.example.com'], 'https://hooks.example.com/a?b')).toBe(true)
    expect(allows(['Hooks.Example.com:8443'], 'https://HOOKS.example.com:8443/')).toBe(true)
    expect(allows(['hooks.example.com'], 'https://hooks.example.com:8443/')).toBe(false)
    expect(allows(['hooks.example.com'], 'https://hooks.example.com./')).toBe(false)
    expect(allows(['hooks.example.com'], 'https://hooks.example.com.evil.test/')).toBe(false)
    expect(allows(['hooks.example.com'], 'https://evil.test/hooks.example.com')).toBe(false)
    expect(allows(['hooks.example.com'], 'https://hooks.example.com\\@evil.test/')).toBe(true)
    expect(allows(['bücher.example'], 'https://xn--bcher-kva.example/')).toBe(true)
  })

  it('names everything below a name', () => {
    expect(allows(['*.fn.example.com'], 'https://a.fn.example.com/')).toBe(true)
    expect(allows(['*.fn.example.com'], 'https://a.b.fn.example.com/')).toBe(true)
    expect(allows(['*.fn.example.com'], 'https://fn.example.com/')).toBe(false)
    expect(allows(['*.fn.example.com'], 'https://evilfn.example.com/')).toBe(false)
    expect(allows(['*.fn.example.com'], 'https://a.fn.example.com:444/')).toBe(false)
    expect(allows(['*.fn.example.com'], 'https://a.fn.example.com./')).toBe(false)
  })

  it('lets hosts have addresses, and a network is no host', () => {
    const allowed = list('hooks.internal', '10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::1')
    expect(['10.1.2.3', '127.0.0.1', 'fd00::7', '::1'].map(allowed.allowsAddress)).toEqual([true, true, true, true])
    expect(['127.0.0.2', '192.168.0.1', 'fe80::1'].map(allowed.allowsAddress)).toEqual([false, false, false])
    expect(allowed.allowsHost(new URL('https://10.1.2.3/'))).toBe(false)
    expect(allowed.allowsHost(new URL('https://127.0.0.1/'))).toBe(true)
    // The other ways to write 127.0.0.1 are the same host; IPv6 has its own.
    for (const host of ['2130706433', '0177.1', '0x7f.0.0.1'])
      expect(allowed.allowsHost(new URL(`https://${host}/`))).toBe(true)
    expect(allowed.allowsHost(new URL('https://[::ffff:127.0.0.1]/'))).toBe(false)
    expect(allowed.allowsHost(new URL('https://[::1]/'))).toBe(true)
  })

  it.each([
    ...[
      'https://hooks.example.com',
      'hooks.example.com/path',
      'me@hooks.example.com',
      '*',
      '*.',
      'a.*.com',
      '*.1.2.3.4',
    ],
    ...['10.0.0.0/33', 'fd00::/129', '10.0.0.0/', 'host/8', 'hooks.example.com.', 'a b', 'hooks.example.com:99999'],
  ])('does not take %s', entry => {
    expect(() => list(entry)).toThrow(/--callback-host: ".*" is not a host/)
  })
})

describe('an address that an asker gives', () => {
  it('is refused where its name has an address that is not public', async () => {
    const check = (url: string, ...found: string[]) => checkCallback(url, list('hooks.example.com'), async () => found)
    expect(await check('https://hooks.example.com/', '8.8.8.8')).toBeNull()
    expect(await check('https://hooks.example.com/', '8.8.8.8', '10.0.0.1')).toContain('10.0.0.1')
    expect(await check('https://hooks.example.com/', '::ffff:8.8.8.8')).toContain('not public')
    // It may have one by the time it is called.
    expect(await check('https://hooks.example.com/')).toBeNull()
    expect(await check('https://other.example.com/', '8.8.8.8')).toContain('not on the list')
  })
})

describe('a call', () => {
  it('connects to the address that was checked, whatever the name means by then', async () => {
    const receiver = await startReceiver(200, 0, certificate())
    const { port } = new URL(receiver.url)
    const host = `hooks.example.test:${port}`
    let asked = 0
    // The second answer would be another address: a name whose meaning changes after the check.
    const lookup = async () => [++asked === 1 ? '127.0.0.1' : '127.0.0.2']
    const sent = await postCallback(delivery(`https://${host}/hook`), {
      allowed: list(host, ...here),
      lookup,
      tls: trusted,
    })
    expect(sent).toMatchObject({ result: 'delivered', finding: 'HTTP 200' })
    expect([asked, receiver.received.length]).toEqual([1, 1])
    expect(receiver.received[0]?.headers.host).toBe(host)
  })

  it('does not connect where one of the addresses is not public', async () => {
    const receiver = await startReceiver(200, 0, certificate())
    const { host } = new URL(receiver.url)
    for (const found of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], ['fe80::1%lo']]) {
      const sent = await postCallback(delivery(receiver.url), {
        allowed: list(host),
        lookup: async () => found,
        tls: trusted,
      })
      expect(sent).toMatchObject({ result: 'refused', finding: expect.stringContaining('not public') })
    }
    expect(receiver.received).toEqual([])
  })

  it('is not made once its host is off the list, and says nothing about the path', async () => {
    const sent = await postCallback(delivery('https://hooks.example.com/secret'), {
      allowed: list('other.example.com'),
    })
    expect(sent).toEqual({
      result: 'refused',
      finding: 'hooks.example.com is not on the list of the server',
      reply: '',
      retryAfter: null,
    })
  })

  it('follows no redirect', async () => {
    const [receiver, elsewhere] = [await startReceiver(200, 0, certificate()), await startReceiver()]
    receiver.reply = response => response.writeHead(307, { location: `${elsewhere.url}/` }).end()
    const allowed = list(new URL(receiver.url).host, ...here, '::1')
    const sent = await postCallback(delivery(receiver.url), { allowed, tls: trusted })
    expect(sent).toMatchObject({ result: 'refused', finding: 'HTTP 307: redirects are not followed' })
    expect(elsewhere.received).toEqual([])
  })

  it('needs a certificate for the host of the URL', async () => {
    const receiver = await startReceiver(200, 0, certificate())
    const host = `other.example.test:${new URL(receiver.url).port}`
    const options = { allowed: list(host, ...here), lookup: async () => ['127.0.0.1'] }
    const wrongName = await postCallback(delivery(`https://${host}/`), { ...options, tls: trusted })
    expect(wrongName).toMatchObject({ result: 'refused', finding: 'cannot be reached (ERR_TLS_CERT_ALTNAME_INVALID)' })
    const unknown = await postCallback(delivery(`https://${host}/`), options)
    expect(unknown).toMatchObject({ result: 'refused', finding: expect.stringMatching(/SIGNED/) })
    expect(receiver.received).toEqual([])
  })

  it('reads the status and nothing of an endless reply', async () => {
    const receiver = await startReceiver(200, 0, certificate())
    const closed = Promise.withResolvers<number>()
    receiver.reply = response => {
      let sent = 0
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', write).on('close', () => closed.resolve(sent))
      response.writeHead(200)
      write()
    }
    const allowed = list(new URL(receiver.url).host, ...here, '::1')
    expect(await postCallback(delivery(receiver.url), { allowed, tls: trusted })).toMatchObject({ result: 'delivered' })
    expect(await closed.promise).toBeLessThan(16 * 1_048_576)
  })

  it('ends in time where no status, no end of the headers, no connection, or another protocol comes', async () => {
    const silent = createTlsServer(certificate(), socket => socket.on('error', () => {}).on('data', () => {}))
    const endless = createTlsServer(certificate(), socket => {
      socket.on('error', () => {}).on('data', () => {})
      socket.write('HTTP/1.1 200 OK\r\n')
      const feed = setInterval(() => socket.write('x: y\r\n'), 5)
      socket.on('close', () => clearInterval(feed))
    })
    const deaf = createServer(socket => socket.on('error', () => {}))
    for (const server of [silent, endless, deaf]) {
      onTestFinished(() => void server.close())
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const host = `localhost:${(server.address() as AddressInfo).port}`
      const options = { allowed: list(host, ...here), lookup: async () => ['127.0.0.1'], timeout: 150, tls: trusted }
      expect(await postCallback(delivery(`https://${host}/`), options)).toMatchObject({
        result: 'refused',
        finding: 'no reply within 0.15 seconds',
      })
    }
    const switching = createTlsServer(certificate(), socket => {
      socket.on('error', () => {}).on('data', () => {})
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n')
    })
    onTestFinished(() => void switching.close())
    switching.listen(0, '127.0.0.1')
    await once(switching, 'listening')
    const other = `localhost:${(switching.address() as AddressInfo).port}`
    const options = { allowed: list(other, ...here), lookup: async () => ['127.0.0.1'], tls: trusted }
    expect(await postCallback(delivery(`https://${other}/`), options)).toMatchObject({
      result: 'refused',
      finding: 'cannot be reached (no reply)',
    })
    const never = { allowed: list('hooks.example.com'), lookup: () => new Promise<string[]>(() => {}), timeout: 50 }
    expect(await postCallback(delivery('https://hooks.example.com/'), never)).toMatchObject({ result: 'refused' })
  })
})
