import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startReceiver } from '../notify/receiver.ts'
import { createSandbox, until } from './sandbox.ts'

describe('beckon notify', () => {
  it('adds, lists, tests and removes targets, and prints only a generated secret, once', async () => {
    const sandbox = await createSandbox()
    const receiver = await startReceiver()
    const added = await sandbox.run(['notify', 'add', 'webhook', `${receiver.url}/hook`])
    expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^beckon_hook_[\w-]{32}\n$/)])
    const secret = join(sandbox.root, 'secret')
    writeFileSync(secret, 'tk_hidden\n')
    const ntfy = ['notify', 'add', 'ntfy', `${receiver.url}/hidden-topic`, '--secret-from', secret]
    expect(
      await sandbox.run([...ntfy, '--kind', 'approval', '--kind', 'review', '--min-severity', 'high']),
    ).toMatchObject({
      code: 0,
      stdout: '',
    })
    const chat = await sandbox.run(['notify', 'add', 'slack', '-', '--name', 'team'], {
      input: `${receiver.url}/hidden\n`,
    })
    expect(chat.code).toBe(0)
    expect(chat.stderr).toContain(
      'Warning: No beckon serve has used this database yet: unless you start it with --public-url',
    )
    const listed = await sandbox.run(['notify', 'list'])
    expect(listed.stdout.split('\n').map(line => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      'NAME | KIND | NOTIFIED OF | BY | ADDRESS',
      `ntfy | ntfy | approval, review (approvals: high and up) | person | ${receiver.url}/…`,
      `team | slack | everything | person | ${receiver.url}/…`,
      `webhook | webhook | everything | person | ${receiver.url}/hook`,
      '',
    ])
    expect(JSON.parse((await sandbox.run(['notify', 'list', '--json'])).stdout).targets).toHaveLength(3)
    const tested = await sandbox.run(['notify', 'test', 'team', '--json'])
    expect([tested.code, JSON.parse(tested.stdout)]).toMatchObject([
      0,
      { delivered: true, finding: 'HTTP 200', reply: '' },
    ])
    receiver.reply = response => response.writeHead(403).end('{"error":"forbidden \u001b[31m"}')
    expect(await sandbox.run(['notify', 'test', 'ntfy', '--url', 'https://beckon.example'])).toMatchObject({
      code: 1,
      stdout: `Sent:
  This is a test message from Beckon.
  On: ${hostname()}
  https://beckon.example
Came back:
  {"error":"forbidden \\x1b[31m"}
`,
      stderr: 'ntfy did not accept the message: HTTP 403\n',
    })
    const changed = await sandbox.run(['notify', 'change', 'team', '--after', '10m', '--project', 'shop', '--urgent'])
    expect(changed.stderr).toBe('Target "team" is notified of urgent requests in shop after 10 min.\n')
    const quiet = ['--quiet', '22:00-7:00', '--quiet-except-urgent', '--time-zone', 'Asia/Seoul']
    expect((await sandbox.run(['notify', 'change', 'team', '--always', ...quiet])).stderr).toBe(
      'Target "team" is notified of everything not 22:00-07:00 Asia/Seoul unless urgent.\n',
    )
    expect((await sandbox.run(['notify', 'change', 'team'])).stderr).toContain('needs a condition')
    expect((await sandbox.run(['notify', 'change', 'team', '--quiet', 'nights'])).code).toBe(1)
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer tk_hidden'])
    expect((await sandbox.run(['notify', 'remove', 'team'])).code).toBe(0)
    expect((await sandbox.run(['notify', 'remove', 'team'])).code).toBe(4)
    expect((await sandbox.run(['notify', 'add', 'pigeon', receiver.url])).code).toBe(1)
    expect((await sandbox.run(['notify', 'add', 'ntfy', 'https://ntfy.sh/'])).stderr).toContain('must end in a topic')
  })

  it.each([
    ['add', 'slack', 'https://x.example'],
    ['change', 'x', '--urgent'],
    ['test', 'x'],
    ['remove', 'x'],
  ])("%s exits 5 in an agent's shell", async (...args) => {
    const sandbox = await createSandbox()
    expect((await sandbox.run(['notify', ...args], { env: { CLAUDECODE: '1' } })).code).toBe(5)
    expect(await sandbox.hub.targets.list()).toEqual([])
  })

  it('makes beckon serve send and count messages, also about requests from before it started', async () => {
    const sandbox = await createSandbox()
    const receiver = await startReceiver()
    await sandbox.run(['notify', 'add', 'webhook', receiver.url])
    const early = await sandbox.ask({ questions: [{ question: 'Early?' }] })
    const server = sandbox.start(['serve', '--port', '0', '--no-link'])
    const url = await until(() => /^(http:\S+)$/m.exec(server.written().stdout)?.[1], 'the address')
    await receiver.came(1)
    const late = await sandbox.ask({ questions: [{ question: 'Late?' }] })
    const got = await receiver.came(2)
    expect(got.map(({ json }) => json.url)).toEqual([`${url}/requests/${early.id}`, `${url}/requests/${late.id}`])
    const secret = (await sandbox.run(['token', 'create', '--scope', 'answer'])).stdout.trim()
    const metrics = async () =>
      (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${secret}` } })).text()
    await until(
      async () => (await metrics()).includes('beckon_notifications_sent_total{target="webhook"} 2\n'),
      'the counters',
    )
    expect(await metrics()).toContain('beckon_notifications_waiting')
    const admin = (await sandbox.run(['token', 'create', '--scope', 'admin'])).stdout.trim()
    const tested = await sandbox.run(['notify', 'test', 'webhook'], { env: { BECKON_URL: url, BECKON_TOKEN: admin } })
    const warning = `Warning: beckon serve has no public address, only ${url}: `
    expect(tested.code).toBe(0)
    expect(tested.stderr.startsWith(`webhook accepted the message: HTTP 200\n${warning}`)).toBe(true)
    expect(receiver.received[2]?.json).toMatchObject({ event: 'test', url })
    server.child.kill('SIGTERM')
    expect(await server.result).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await sandbox.run(['doctor'])
    expect(stdout).toMatch(/ok {3}notifications +1 targets: 0 messages wait, 2 were sent and 0 given up within a day/)
    expect(stdout).toMatch(/warn links +beckon serve has no public address/)
  })
})
