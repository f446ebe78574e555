import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { watchArguments } from '../canary/arguments.ts'
import { createCanary, filesBelow } from '../canary/canary.ts'
import { askpass, createSandbox, type Sandbox, until } from './sandbox.ts'

const claude = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: '3f2a9c10-0000-4000-8000-000000000000' }

describe('beckon-askpass', () => {
  it('hands a password to the program that asked, once, and nothing else ever has it', async () => {
    const { root, start, run, pending, hub } = await createSandbox()
    const canary = createCanary(core => `${core} with spaces `)
    const watch = watchArguments({ environment: true })
    const asking = start(['[sudo] password for deploy: '], { launcher: askpass, env: claude })
    const request = await pending()
    expect(request).toMatchObject({
      kind: 'dependency',
      type: 'password',
      name: '[sudo] password for deploy',
      agent: { name: 'claude-code' },
      session: claude.CLAUDE_CODE_SESSION_ID,
    })
    const given = await run(['answer', request.id, '--from', '-'], { input: `${canary.value}\n` })
    expect(await asking.result).toEqual({ code: 0, stdout: `${canary.value}\n`, stderr: '' })

    await expect(hub.use(request.id)).rejects.toThrow('used')
    const looks = await Promise.all([
      run(['show', request.id, '--json']),
      run(['events', '--json']),
      run(['kept', '--json']),
    ])
    const seen = [JSON.stringify([given, looks]), ...watch.stop(), ...filesBelow(root).map(({ bytes }) => bytes)]
    expect(seen.flatMap(text => canary.findIn(text))).toEqual([])
  })

  it('says which program asks, and what started it', async () => {
    const { cwd, env, pending, hub } = await createSandbox()
    const child = spawn('perl', ['-e', `system("${process.execPath} ${askpass} Passphrase:"); exit($? >> 8)`], {
      cwd,
      env: { ...process.env, ...env },
    })
    const request = await pending()
    expect(request).toMatchObject({
      description: expect.stringMatching(/^Asked by perl \(process \d+, started by .+\)\.$/),
    })
    await hub.decline(request.id, { reason: 'not now' })
    expect(await once(child, 'close')).toEqual([10, null])
  })

  it.each([
    ['is declined', 10, 'not today', (hub: Sandbox['hub'], id: string) => hub.decline(id, { reason: 'not today' })],
    ['is withdrawn', 13, 'Cancelled', (hub: Sandbox['hub'], id: string) => hub.cancel(id)],
  ])('prints nothing when the request %s', async (_, code, reason, settle) => {
    const { start, pending, hub } = await createSandbox()
    const asking = start(['Password: '], { launcher: askpass, env: claude })
    await settle(hub, (await pending()).id)
    expect(await asking.result).toEqual({ code, stdout: '', stderr: expect.stringContaining(reason) })
  })

  it('prints nothing when the hub cannot be reached', async () => {
    const { run } = await createSandbox()
    const env = { BECKON_URL: 'http://127.0.0.1:9', BECKON_TOKEN: 'beckon_ask_x' }
    const { code, stdout, stderr } = await run(['Password: '], { launcher: askpass, env })
    expect({ code, stdout }).toEqual({ code: 74, stdout: '' })
    expect(stderr).not.toBe('')
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('withdraws the request at %s', async signal => {
    const { start, pending, hub } = await createSandbox()
    const asking = start(['Password: '], { launcher: askpass, env: claude })
    const { id } = await pending()
    asking.child.kill(signal)
    expect(await asking.result).toMatchObject({ code: 13, stdout: '' })
    expect((await hub.get(id)).status).toBe('cancelled')
  })

  it('withdraws the request when the program that asked is killed', async () => {
    const { cwd, env, pending, hub } = await createSandbox()
    // The shell between them stays, and must not keep the request open.
    const script = `my $pid = fork; if (!$pid) { exec "sh", "-c", "${process.execPath} ${askpass} Password: & wait" } waitpid $pid, 0`
    const program = spawn('perl', ['-e', script], { cwd, env: { ...process.env, ...env, ...claude } })
    const { id } = await pending()
    program.kill('SIGKILL')
    await until(async () => (await hub.get(id)).status === 'cancelled', 'the withdrawal')
  })

  it('asks for a password anew in each program, also inside a run, and deletes it there too', async () => {
    const { start, hub, cwd } = await createSandbox()
    const run = await hub.runs.start({ command: ['agent'], cwd, pid: process.pid })
    const ask = () => start(['Password: '], { launcher: askpass, env: { BECKON_RUN: run.id } })
    const both = [ask(), ask()]
    const requests = await until(async () => {
      const open = (await hub.list()).requests
      return open.length === 2 ? open : null
    }, 'two requests')
    for (const [i, { id }] of requests.entries()) await hub.answer(id, { value: `secret ${i}` })
    const printed = (await Promise.all(both.map(({ result }) => result))).map(({ stdout }) => stdout)
    expect(printed.sort()).toEqual(['secret 0\n', 'secret 1\n'])
    for (const { id } of requests) await expect(hub.use(id, { again: true })).rejects.toThrow('gone')
  })

  it('is answered from a kept value only for the same prompt', async () => {
    const { start, pending, hub } = await createSandbox()
    const first = start(["Password for 'https://a.example': "], { launcher: askpass, env: claude })
    await hub.answer((await pending()).id, { value: 'for a', keep: true })
    expect((await first.result).stdout).toBe('for a\n')
    const again = start(["Password for 'https://a.example': "], { launcher: askpass, env: claude })
    expect((await again.result).stdout).toBe('for a\n')
    const other = start(["Password for 'https://b.example': "], { launcher: askpass, env: claude })
    const { id } = await pending()
    await hub.decline(id, { reason: 'no' })
    expect(await other.result).toMatchObject({ code: 10, stdout: '' })
  })

  const hostKey = `The authenticity of host '[127.0.0.1]:2222 ([127.0.0.1]:2222)' can't be established.
ED25519 key fingerprint is SHA256:Ry7b.
This key is not known by any other names.
Are you sure you want to continue connecting (yes/no/[fingerprint])? `

  it('asks whether to trust the key of a host as a question, which a fingerprint answers, too', async () => {
    const { start, pending, run } = await createSandbox()
    const answers = [['yes'], ['--text', 'SHA256:Ry7b']]
    for (const [i, answer] of answers.entries()) {
      const asking = start([hostKey], { launcher: askpass, env: claude })
      const request = await pending()
      expect(request).toMatchObject({ kind: 'question', questions: [{ question: hostKey.trim(), allowOther: true }] })
      await run(['answer', request.id, ...answer])
      expect(await asking.result).toMatchObject({ code: 0, stdout: ['yes\n', 'SHA256:Ry7b\n'][i] })
    }
  })

  it.each([
    ['yes', 0, 'yes\n'],
    ['no', 1, ''],
  ])('answers %s to a confirmation with exit %d', async (answer, code, stdout) => {
    const { start, pending, run } = await createSandbox()
    const env = { ...claude, SSH_ASKPASS_PROMPT: 'confirm' }
    const asking = start(['Allow use of key id_ed25519?'], { launcher: askpass, env })
    await run(['answer', (await pending()).id, answer])
    expect(await asking.result).toMatchObject({ code, stdout })
  })

  it('shows a hostile prompt harmlessly', async () => {
    const { start, pending, run } = await createSandbox()
    const asking = start(['\x1b[2J\u202eenter passphrase\x07 '.repeat(20), '--json'], {
      launcher: askpass,
      env: claude,
    })
    const request = await pending()
    const { stdout } = await run(['show', request.id])
    expect(stdout).toContain('\\x1b[2J\\u202eenter passphrase\\x07')
    for (const hidden of ['\x1b', '\u202e', '\x07']) expect(stdout).not.toContain(hidden)
    asking.child.kill('SIGTERM')
    expect((await asking.result).stdout).toBe('')
  })
})

describe('real programs', () => {
  it('git asks for a user name as a question, and for its password masked', { timeout: 60_000 }, async () => {
    const { cwd, env, pending, hub, run } = await createSandbox()
    const canary = createCanary()
    const expected = `Basic ${Buffer.from(`joe:${canary.value}`).toString('base64')}`
    const server = createServer((request, response) => {
      if (request.headers.authorization === expected) response.end(`${'a'.repeat(40)}\trefs/heads/main\n`)
      else response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop.git`
    const git = spawn('git', ['-c', 'credential.helper=', 'ls-remote', url], {
      cwd,
      env: { ...withNode(env), ...claude, GIT_ASKPASS: askpass, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1' },
    })
    const output = collect(git)
    const username = await pending()
    expect(username).toMatchObject({
      kind: 'question',
      questions: [{ question: expect.stringContaining('Username for') }],
    })
    expect(username.context).toMatch(/^Asked by git-remote-http/)
    await run(['answer', username.id, 'joe'])
    const password = await pending()
    expect(password).toMatchObject({ type: 'password', name: expect.stringMatching(/^Password for 'http:\/\/joe@/) })
    await hub.answer(password.id, { value: canary.value })
    expect(await once(git, 'close')).toEqual([0, null])
    expect(output()).toContain('refs/heads/main')
    server.close()
  })

  it('ssh-keygen opens a key with a passphrase from the inbox', { timeout: 60_000 }, async () => {
    const { cwd, env, pending, hub } = await createSandbox()
    const key = join(cwd, 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'open sesame', '-C', 'a key', '-f', key])
    const ssh = spawn('ssh-keygen', ['-y', '-f', key], {
      cwd,
      env: { ...withNode(env), ...claude, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' },
    })
    const output = collect(ssh)
    const request = await pending()
    expect(request).toMatchObject({ type: 'password', name: expect.stringContaining('passphrase') })
    await hub.answer(request.id, { value: 'open sesame' })
    expect(await once(ssh, 'close')).toEqual([0, null])
    expect(output()).toMatch(/^ssh-ed25519 /)
  })
})

/** The launcher starts the Node that is first in the PATH. */
function withNode(env: Record<string, string | undefined>): NodeJS.ProcessEnv {
  return { ...process.env, ...env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` }
}

function collect(child: ReturnType<typeof spawn>): () => string {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  return () => text
}
