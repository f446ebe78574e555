import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { certificate } from '../notify/certificate.ts'
import { createSandbox, type Sandbox, until } from './sandbox.ts'

const docs = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')

async function startServer(sandbox: Sandbox, args: string[], env: Record<string, string> = {}) {
  const server = sandbox.start(['serve', '--port', '0', '--no-link', ...args], { env })
  const url = await until(() => /^(https?:\S+)$/m.exec(server.written().stdout)?.[1], 'the address')
  const token = (await sandbox.run(['token', 'create', '--scope', 'ask'])).stdout.trim()
  return { url, agent: { BECKON_URL: url, BECKON_TOKEN: token, BECKON_HOME: join(sandbox.root, 'nowhere') } }
}

type OnCallback = (request: Request, env: { url: string; token: string; secret: string }) => Promise<Response>

/** The function of the docs, as it is written there, behind a real HTTPS server. */
async function startFunction(sandbox: Sandbox, env: () => Parameters<OnCallback>[1]) {
  const file = join(sandbox.root, 'function.ts')
  writeFileSync(file, /```ts\n([\s\S]*?)```/.exec(docs)?.[1] ?? '')
  const { onCallback } = (await import(file)) as { onCallback: OnCallback }
  const replies: { status: number; text: string }[] = []
  const received: { headers: Record<string, string>; body: string }[] = []
  const server = createServer(certificate(), async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const headers = { 'x-beckon-signature': String(request.headers['x-beckon-signature']) }
    const body = Buffer.concat(parts).toString()
    received.push({ headers, body })
    const reply = await onCallback(new Request('https://hook/', { method: 'POST', headers, body }), env())
    replies.push({ status: reply.status, text: await reply.text() })
    response.writeHead(reply.status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  sandbox.atEnd(() => server.close())
  return { host: `localhost:${(server.address() as AddressInfo).port}`, replies, received, onCallback }
}

describe('beckon serve --callback-host', () => {
  it('calls the function of the docs when a person has answered, and refuses every other host', async () => {
    const sandbox = await createSandbox()
    let functionEnv = { url: '', token: '', secret: '' }
    const hook = await startFunction(sandbox, () => functionEnv)
    const hosts = ['--callback-host', hook.host, '--callback-host', '127.0.0.1', '--callback-host', '::1']
    const { url, agent } = await startServer(sandbox, hosts, { NODE_EXTRA_CA_CERTS: certificate().file })
    const secret = (await sandbox.run(['callback-secret'], { env: agent })).stdout.trim()
    functionEnv = { url, token: agent.BECKON_TOKEN, secret }
    const ask = (host: string) =>
      sandbox.run(['ask', 'Deploy?', '--option', 'yes', '--async', '--callback-url', `https://${host}/resume`], {
        env: agent,
      })
    const refused = await ask('evil.example')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/callback-?url.*evil\.example is not on the list/i),
    ])
    const { code, stdout } = await ask(hook.host)
    expect(code).toBe(0)
    await sandbox.hub.answer(JSON.parse(stdout).id, { value: 'yes' })
    const [reply] = await until(() => (hook.replies.length > 0 ? hook.replies : null), 'the callback')
    expect(reply).toEqual({ status: 200, text: JSON.stringify({ continueWith: ['yes'] }) })
    const forged = { ...functionEnv, secret: 'another' }
    const again = new Request('https://hook/', { method: 'POST', ...hook.received[0] })
    expect((await hook.onCallback(again, forged)).status).toBe(401)
  })

  it('refuses a list with a mistake, and lists hosts by a variable, too', async () => {
    const sandbox = await createSandbox()
    const wrong = await sandbox.run(['serve', '--callback-host', 'https://hooks.example.com'])
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining('--callback-host: "https://hooks.example.com"'),
    ])
    const env = { BECKON_CALLBACK_HOSTS: 'hooks.example.com, 10.0.0.0/8' }
    expect((await sandbox.run(['doctor'], { env })).stdout).toContain('askers may be called at hooks.example.com')
    expect((await sandbox.run(['ask', 'x?', '--async', '--callback-url', 'https://hooks.example.com/'])).code).toBe(1)
  })
})

describe('the limits of beckon serve', () => {
  it('are those of its flags and variables, and doctor shows them', async () => {
    const sandbox = await createSandbox()
    const flags = ['--asks-per-second', '3', '--max-body', '64KiB', '--max-wait', '1s']
    flags.push('--callback-host', 'hooks.example.com')
    const env = { BECKON_MAX_OPEN: '7', BECKON_ASKS_PER_SECOND: '50', BECKON_ASK_BURST: '2' }
    const { url, agent } = await startServer(sandbox, flags, env)
    const headers = { authorization: `Bearer ${agent.BECKON_TOKEN}`, 'content-type': 'application/json' }
    expect(await (await fetch(`${url}/api/limits`, { headers })).json()).toEqual({
      asksPerSecond: 3,
      askBurst: 2,
      maxBody: 65_536,
      maxUpload: 104_857_600,
      maxWait: 1,
      maxOpen: 7,
    })
    const { stdout } = await sandbox.run(['doctor'], { env: agent })
    expect(stdout).toContain(
      '3 asks per second and token (2 at once), bodies up to 64KiB, uploads up to 100MiB, waits up to 1s, 7 open',
    )
    const local = await sandbox.run(['doctor'])
    expect(local.stdout).toContain(`${url}: 3 asks per second and token (2 at once), bodies up to 64KiB`)
    expect(local.stdout).toContain(`${url}: askers may be called at hooks.example.com`)
    const post = (question: string) =>
      fetch(`${url}/api/requests`, { method: 'POST', headers, body: JSON.stringify({ questions: [{ question }] }) })
    const first = await post('1?')
    const { id } = (await first.json()) as { id: string }
    // It asks to wait for a minute, and is told after a second that nothing has happened.
    const pending = fetch(`${url}/api/requests/${id}?wait=60`, { headers })
    const others = await Promise.all(Array.from({ length: 10 }, (_, i) => post(`again ${i}?`)))
    const turnedAway = others.filter(({ status }) => status === 429)
    expect(turnedAway.length).toBeGreaterThan(4)
    for (const { headers } of turnedAway) expect(headers.get('retry-after')).toMatch(/^[1-5]$/)
    expect(await (await pending).json()).toMatchObject({ status: 'pending' })
    const large = await fetch(`${url}/api/requests/${id}/cancel`, {
      method: 'PUT',
      headers,
      body: `{"reason":"${'x'.repeat(70_000)}"}`,
    })
    expect(large.status).toBe(413)
  })

  it('are refused out of their range, all at once, by the name that was typed', async () => {
    const sandbox = await createSandbox()
    const flags = ['--max-wait', '11m', '--max-body', '1kB', '--asks-per-second', 'many']
    const { code, stderr } = await sandbox.run(['serve', ...flags], { env: { BECKON_MAX_OPEN: '0' } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/--max-wait:? must be 1s to 600s; it is "11m"/)
    expect(stderr).toMatch(/--max-body:? must be 64KiB to 64MiB/)
    expect(stderr).toMatch(/--asks-per-second:? must be 1 to 1000000/)
    expect(stderr).toMatch(/BECKON_MAX_OPEN:? must be 1 to 1000000/)
  })
})
