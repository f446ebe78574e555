import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { drawCode } from '../../src/cli/serve/phone-code.ts'
import { call } from '../server/test-server.ts'
import { testKey } from '../setup/databases.ts'
import { freshDatabase } from '../setup/postgres.ts'
import { startBreakableProxy } from '../store/breakable-proxy.ts'
import { createSandbox, launcher, type Sandbox, until } from './sandbox.ts'

/** Starts a real `beckon serve` on a free port. */
async function startServer(sandbox: Sandbox, args: string[] = [], env: Record<string, string> = {}) {
  const server = sandbox.start(['serve', '--port', '0', ...args], { env })
  const url = await until(() => /^(https?:\S+)$/m.exec(server.written().stdout)?.[1], 'the address')
  const token = async (scope: string, more: string[] = []) =>
    (await sandbox.run(['token', 'create', '--scope', scope, ...more])).stdout.trim()
  return { server, url, token }
}

/** `beckon serve` on a pseudo terminal. */
async function terminalOutput(sandbox: Sandbox, args: string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [launcher, 'serve', '--port', '0', ...args], {
    name: 'xterm-256color',
    cols: 120,
    cwd: sandbox.cwd,
    env: { ...process.env, ...sandbox.env, ...more } as Record<string, string>,
  })
  let sent = ''
  child.onData(chunk => {
    sent += chunk
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  child.onExit(() => resolve())
  sandbox.atEnd(() => child.kill('SIGKILL'))
  const shows = (text: string) => until(() => (sent.includes(text) ? sent : null), text)
  return { child, ended, sent: () => sent, shows }
}

/** The rows of half blocks in black on white; null before they are complete. */
function codeIn(sent: string, count = 1): string[] | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are what is looked for
  const rows = [...sent.matchAll(/\u001b\[38;5;16;48;5;231m([ ▀▄█]+)\u001b\[0m\r?\n/g)].map(([, row = '']) => row)
  return rows.length >= count ? rows : null
}

async function metrics(url: string, token: string): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
}

/** The status of a scrape by a Prometheus that knows the server by this name. */
async function scrapeAs(host: string, { port, token }: { port: number; token: string }) {
  const headers = { host: `${host}:${port}`, authorization: `Bearer ${token}` }
  const { status } = await call({ port }, 'GET', '/metrics', { headers })
  return status
}

describe('beckon serve', () => {
  it('prints its address and a link that signs in once, and stops on SIGTERM', async () => {
    const sandbox = await createSandbox()
    const { server, url } = await startServer(sandbox)
    const link = await until(() => /^(\S+)#signin=(\S+)$/m.exec(server.written().stdout), 'the link')
    expect(server.written().stdout.split('\n')[0]).toBe(url)
    expect(link[1]).toBe(`${url}/`)
    const signIn = () =>
      fetch(`${url}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ secret: link[2] }),
      })
    const signedIn = await signIn()
    expect([signedIn.status, await signedIn.json()]).toMatchObject([200, { user: 'person', scope: 'admin' }])
    expect((await signIn()).status).toBe(401)
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ ok: true })
    server.child.kill('SIGTERM')
    expect(await server.result).toMatchObject({ code: 0, stderr: '' })
  })

  it('stops on SIGTERM while PostgreSQL is away, and does not wait for it', async () => {
    const sandbox = await createSandbox()
    const proxy = await startBreakableProxy(await freshDatabase())
    sandbox.atEnd(proxy.close)
    Object.assign(sandbox.env, { BECKON_DB: proxy.url, BECKON_KEY: testKey })
    const { server } = await startServer(sandbox)
    // Then it has started, which needs the database.
    await until(() => server.written().stdout.includes('#signin='), 'the link')
    proxy.close()
    server.child.kill('SIGTERM')
    expect(await server.result).toMatchObject({ code: 0 })
  }, 20_000)

  it('is found by token link on whatever port it is, and not after it was killed', async () => {
    const sandbox = await createSandbox()
    const link = async () => {
      const { code, stdout, stderr } = await sandbox.run(['token', 'link'])
      return { code, url: stdout.split('/#')[0], stderr }
    }
    const usual = { code: 0, url: 'http://127.0.0.1:4141', stderr: expect.stringContaining('beckon serve') }
    expect(await link()).toEqual(usual)
    const first = await startServer(sandbox)
    expect(await link()).toEqual({ code: 0, url: first.url, stderr: '' })
    const second = await startServer(sandbox)
    expect((await link()).url).toBe(second.url)
    second.server.child.kill('SIGKILL')
    await second.server.result
    expect((await link()).url).toBe(first.url)
    const elsewhere = { env: { BECKON_DB: join(sandbox.root, 'home', 'other.db') } }
    expect((await sandbox.run(['token', 'link'], elsewhere)).stdout).toContain('http://127.0.0.1:4141/#')
    first.server.child.kill('SIGTERM')
    await first.server.result
    expect(await link()).toEqual(usual)
  })

  it("shows a code for a phone on a person's terminal, where a phone can reach the server", async () => {
    const sandbox = await createSandbox()
    const url = 'http://192.168.1.20:4141'
    const phone = await terminalOutput(sandbox, ['--public-url', url])
    const text = await phone.shows('To sign in a phone, scan this')
    // Modules in pairs of rows, with a border of two: a code for an address of this length.
    const { size } = encode(`${url}/#signin=beckon_link_${'A'.repeat(43)}`, { border: 2 })
    const rows = await until(() => codeIn(phone.sent(), Math.ceil(size / 2)), 'the code')
    expect(text).toContain(`${url}/#signin=`)
    expect(rows.map(row => [...row].length)).toEqual(rows.map(() => size))
    const alone = await terminalOutput(sandbox, [])
    await alone.shows('To use it on a phone, start it with an address that the phone can reach: see --public-url.')
    expect(codeIn(alone.sent())).toBeNull()
    const agents = await terminalOutput(sandbox, ['--public-url', url], { CLAUDECODE: '1' })
    await agents.shows('No sign-in link: this shell belongs to an agent')
    agents.child.kill('SIGTERM')
    await agents.ended
    expect(agents.sent()).not.toMatch(/signin=|scan this|phone/)
    const { server } = await startServer(sandbox, ['--public-url', url])
    await until(() => server.written().stdout.includes('#signin='), 'the link')
    server.child.kill('SIGTERM')
    expect((await server.result).stdout).not.toContain('phone')
  })

  it('draws a code so that every module is in its place', () => {
    const { data } = encode('https://beckon.example/#signin=x', { border: 2 })
    const drawn = drawCode(data).flatMap(line => [
      [...line].map(half => half === '▀' || half === '█'),
      [...line].map(half => half === '▄' || half === '█'),
    ])
    expect(drawn.slice(0, data.length)).toEqual(data)
  })

  it('shuts down gracefully on one SIGINT, and at once on two', async () => {
    const sandbox = await createSandbox()
    for (const [times, end] of [
      [1, 0],
      [2, 'SIGINT'],
    ] as const) {
      const { server, url, token } = await startServer(sandbox)
      const bearer = await token('answer')
      // A client that does not finish its request.
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`POST /api/requests HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${bearer}\r\n`)
      socket.write('Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
      await until(async () => (await fetch(`${url}/healthz`)).ok, 'a sign of life')
      server.child.kill('SIGINT')
      await until(
        () =>
          fetch(`${url}/healthz`).then(
            () => false,
            () => true,
          ),
        'the server to refuse connections',
      )
      if (times === 2) server.child.kill('SIGINT')
      expect([times, (await server.result).code]).toEqual([times, end])
      socket.destroy()
    }
  })

  it('ends with an error, and acknowledges nothing, when its database is deleted or replaced', async () => {
    const sandbox = await createSandbox()
    sandbox.env.BECKON_HOME = join(sandbox.root, 'lost home')
    const file = join(sandbox.root, 'lost home', 'beckon.db')
    const { server, url, token } = await startServer(sandbox)
    const env = { BECKON_URL: url, BECKON_TOKEN: await token('run') }
    const admin = await token('admin')
    const { document: ticket } = await sandbox.json(['ask', 'Before?', '--async'], { env })
    // It tries again for as long as it would have waited.
    const waiting = sandbox.start(['wait', ticket.id, '--for', '10s'], { env })
    const local = sandbox.start(['wait', ticket.id])
    await until(async () => /waits_held 1$/m.test(await metrics(url, admin)), 'the wait')
    rmSync(file)
    const status = await fetch(`${url}/api/requests`, {
      method: 'POST',
      headers: { authorization: `Bearer ${env.BECKON_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ questions: [{ question: 'After?' }] }),
    }).then(
      reply => reply.status,
      () => 'the connection was closed',
    )
    expect([503, 'the connection was closed']).toContain(status)
    const lost = { code: 74, stderr: expect.stringContaining(`${file} was deleted, moved or replaced`) }
    expect(await server.result).toMatchObject(lost)
    expect(await local.result).toMatchObject(lost)
    expect((await waiting.result).code).toBe(74)
  })

  it("prints no link in an agent's shell", async () => {
    const sandbox = await createSandbox()
    const { server } = await startServer(sandbox, [], { CLAUDECODE: '1' })
    await until(() => server.written().stderr.includes('No sign-in link'), 'the reason')
    expect(server.written().stdout).not.toContain('signin')
    expect((await sandbox.run(['token', 'create', '--scope', 'admin'], { env: { CLAUDECODE: '1' } })).code).toBe(5)
  })

  it('replies to Prometheus under a name or an address of its own that it was told', async () => {
    const sandbox = await createSandbox()
    const names = ['--allow-host', 'beckon-1', '--allow-host', '10.0.0.11', '--allow-host', 'fd00::11']
    const { url, token } = await startServer(sandbox, names)
    const options = { port: Number(new URL(url).port), token: await token('answer') }
    for (const host of ['beckon-1', '10.0.0.11', '[fd00::11]'])
      expect([host, await scrapeAs(host, options)]).toEqual([host, 200])
    expect(await scrapeAs('beckon-2', options)).toBe(421)
  })

  it('refuses a public address without --public-url, and addresses that it cannot use', async () => {
    const sandbox = await createSandbox()
    const refused: [string[], RegExp][] = [
      [['--host', '0.0.0.0'], /--public-url/],
      [['--host', '::'], /--public-url/],
      [['--public-url', 'ftp://x'], /--public-url must be an address/],
      [['--public-url', 'https://x/path?query'], /--public-url must be an address/],
      [['--public-url', 'https://x/api'], /a path of the server itself/],
      [['--trusted-proxy', 'proxy'], /--trusted-proxy must be an address/],
      [['--tls-cert', 'cert.pem'], /go together/],
      [['--tls-cert', 'none.pem', '--tls-key', 'none.pem'], /cannot be read/],
      [['--port', '99999'], /up to 65535/],
    ]
    for (const [args, message] of refused) {
      const { code, stderr } = await sandbox.run(['serve', ...args])
      expect([args, code]).toEqual([args, 1])
      expect(stderr).toMatch(message)
    }
    const { url } = await startServer(sandbox)
    const taken = await sandbox.run(['serve', '--port', new URL(url).port])
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('is taken') })
    const elsewhere = await sandbox.run(['serve'], { env: { BECKON_URL: url } })
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('Unset BECKON_URL') })
  })

  it('serves HTTPS with a certificate from files', async () => {
    const sandbox = await createSandbox()
    const [cert, key] = [join(sandbox.cwd, 'cert.pem'), join(sandbox.cwd, 'key.pem')]
    const how = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=localhost',
    ]
    execFileSync('openssl', ['req', '-x509', ...how, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const { url } = await startServer(sandbox, ['--tls-cert', cert, '--tls-key', key])
    expect(url).toMatch(/^https:/)
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    request(`${url}/healthz`, { rejectUnauthorized: false }, response => resolve(response.statusCode))
      .on('error', reject)
      .end()
    expect(await promise).toBe(200)
  })
})

describe('beckon over HTTP', () => {
  it('lets an agent ask with an ask token, and a person answer from another machine', async () => {
    const sandbox = await createSandbox()
    const { url, token } = await startServer(sandbox)
    const agent = { BECKON_URL: url, BECKON_TOKEN: await token('ask'), BECKON_HOME: join(sandbox.root, 'nowhere') }
    const person = { ...agent, BECKON_TOKEN: await token('answer', ['--name', 'minji']), BECKON_USER: undefined }
    const asking = sandbox.start(['ask', 'Ship it?', '--option', 'yes', '--option', 'no', '--json'], { env: agent })
    const { id } = await sandbox.pending()
    expect((await sandbox.json(['list'], { env: person })).document.requests).toMatchObject([{ id }])
    expect((await sandbox.run(['answer', id, 'maybe'], { env: person })).code).toBe(1)
    expect((await sandbox.run(['answer', id, 'yes'], { env: agent })).code).toBe(5)
    expect((await sandbox.run(['answer', id, 'yes'], { env: person })).code).toBe(0)
    expect((await sandbox.run(['answer', id, 'yes'], { env: person })).code).toBe(0)
    expect((await sandbox.run(['answer', id, 'no'], { env: person })).code).toBe(6)
    const { code, stdout } = await asking.result
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { value: 'yes', by: 'minji', channel: 'cli' }])
    expect((await sandbox.run(['show', 'req_none'], { env: person })).code).toBe(4)
    expect(await sandbox.run(['doctor'], { env: agent })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(url),
    })
    expect((await sandbox.run(['events'], { env: person })).stdout).toContain('request.answered')
    expect((await sandbox.run(['gc', '--older-than', '1d'], { env: person })).stderr).toContain('Unset BECKON_URL')
  })

  it('gives a secret to the command that needs it, and answers to AskUserQuestion', async () => {
    const sandbox = await createSandbox()
    const { url, token } = await startServer(sandbox)
    const agent = { BECKON_URL: url, BECKON_TOKEN: await token('ask') }
    const person = { BECKON_URL: url, BECKON_TOKEN: await token('answer') }
    const needing = sandbox.start(
      ['need', 'api_key', 'K', '--description', 'd', '--', 'sh', '-c', 'echo "got $K" | tr 1 2'],
      {
        env: agent,
      },
    )
    const { id } = await sandbox.pending()
    await sandbox.run(['answer', id, '--from', '-'], { env: person, input: 'sk-canary-11\n' })
    expect(await needing.result).toMatchObject({ code: 0, stdout: 'got sk-canary-22\n' })
    const { askUserQuestion } = await import('./sandbox.ts')
    const questions = [
      {
        question: 'Which?',
        header: 'h',
        options: [
          { label: 'a', description: 'A' },
          { label: 'b', description: 'B' },
        ],
        multiSelect: false,
      },
    ]
    const asking = sandbox.start([JSON.stringify({ questions })], { env: agent, launcher: askUserQuestion })
    const asked = await sandbox.pending()
    await sandbox.run(['answer', asked.id, 'b'], { env: person })
    expect((await asking.result).stdout).toContain('"b"')
  })

  it('supervises a run for a remote hub, whose agent can ask but not answer', async () => {
    const sandbox = await createSandbox()
    const { url, token } = await startServer(sandbox)
    const supervisor = {
      BECKON_URL: url,
      BECKON_TOKEN: await token('answer'),
      BECKON_HOME: join(sandbox.root, 'elsewhere'),
    }
    const agent = `
      echo "[USER_QUESTION]
category: clarification
question: By block?
[/USER_QUESTION]"
      read answer; echo "block: $answer"
      beckon ask "By command?" --option yes
      beckon answer "$(beckon list --json | sed 's/.*"id":"\\(req_[a-z0-9]*\\)".*/\\1/')" yes 2>/dev/null; echo "answered: $?"`
    const running = sandbox.start(['run', '--', 'sh', '-c', agent], { env: supervisor })
    for (const answer of ['one', 'yes']) {
      const { id, run } = await sandbox.pending()
      expect(run).toMatch(/^run_/)
      await sandbox.hub.answer(id, { value: answer })
    }
    const { code, stdout } = await running.result
    expect([code, stdout]).toEqual([0, expect.stringMatching(/block: one\nyes\nanswered: 5\n$/)])
  })

  it('keeps waiting while the server is restarted', async () => {
    const sandbox = await createSandbox()
    const { server, url, token } = await startServer(sandbox)
    const env = { BECKON_URL: url, BECKON_TOKEN: await token('ask') }
    const asking = sandbox.start(['ask', 'Ship it?', '--option', 'yes', '--option', 'no'], { env })
    const { id } = await sandbox.pending()
    server.child.kill('SIGKILL')
    await server.result
    const again = sandbox.start(['serve', '--port', new URL(url).port, '--no-link'])
    await until(() => again.written().stdout.includes(url), 'the address')
    await sandbox.hub.answer(id, { value: 'yes' })
    expect(await asking.result).toMatchObject({ code: 0, stdout: 'yes\n' })
  })
})

describe('beckon token', () => {
  it('creates another sign-in link for a running server', async () => {
    const sandbox = await createSandbox()
    const { url } = await startServer(sandbox, ['--no-link'])
    const { stdout } = await sandbox.run(['token', 'link', '--url', url])
    const [, secret] = /^http:\/\/127\.0\.0\.1:\d+\/#signin=(\S+)\n$/.exec(stdout) ?? []
    const headers = { 'content-type': 'application/json' }
    const signIn = () => fetch(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify({ secret }) })
    expect([(await signIn()).status, (await signIn()).status]).toEqual([200, 401])
  })

  it('creates, lists and revokes tokens, and shows the secret once', async () => {
    const sandbox = await createSandbox()
    const made = await sandbox.json(['token', 'create', '--scope', 'ask', '--name', 'nightly', '--expires', '90d'])
    expect(made.code).toBe(1)
    const { stdout, code } = await sandbox.run([
      'token',
      'create',
      '--scope',
      'ask',
      '--name',
      'nightly',
      '--expires',
      '90d',
      '--json',
    ])
    const { token, secret } = JSON.parse(stdout)
    expect([code, token.name, token.scope]).toEqual([0, 'nightly', 'ask'])
    expect(secret).toMatch(/^beckon_ask_[\w-]{43}$/)
    const listed = await sandbox.run(['token', 'list', '--json'])
    expect(JSON.parse(listed.stdout).tokens).toEqual([token])
    expect(listed.stdout).not.toContain(secret)
    expect((await sandbox.run(['token', 'list'])).stdout).toMatch(/until \d{4}-\d\d-\d\d\s+never\s+nightly/)
    expect((await sandbox.run(['token', 'revoke', token.id])).code).toBe(0)
    expect((await sandbox.run(['token', 'list'])).stdout).toContain('revoked')
    expect((await sandbox.run(['token', 'revoke', 'tok_none'])).code).toBe(4)
    for (const args of [['create'], ['create', '--scope', 'root'], ['create', '--scope', 'admin', '--run', 'run_x']]) {
      expect((await sandbox.run(['token', ...args])).code).toBe(1)
    }
  })
})
