import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startReceiver } from '../notify/receiver.ts'
import { sandbox, until } from './sandbox.ts'

describe('beckon notify', () => {
  it('adds, lists, tries and removes, and shows no secret but the one it made, once', async () => {
    const box = await sandbox()
    const receiver = await startReceiver()
    const added = await box.run(['notify', 'add', 'webhook', `${receiver.url}/hook`])
    expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^beckon_hook_[\w-]{32}\n$/)])
    const secret = join(box.root, 'secret')
    writeFileSync(secret, 'tk_hidden\n')
    const ntfy = ['notify', 'add', 'ntfy', `${receiver.url}/hidden-topic`, '--secret-from', secret]
    expect(await box.run([...ntfy, '--kind', 'approval', '--kind', 'review', '--min-severity', 'high'])).toMatchObject({
      code: 0,
      stdout: '',
    })
    const chat = await box.run(['notify', 'add', 'slack', '-', '--name', 'team'], { input: `${receiver.url}/hidden\n` })
    expect(chat.code).toBe(0)
    const listed = await box.run(['notify', 'list'])
    expect(listed.stdout.split('\n').map(line => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      'NAME | KIND | NOTIFIED OF | BY | ADDRESS',
      `ntfy | ntfy | approval, review (approvals: high and up) | person | ${receiver.url}/…`,
      `team | slack | everything | person | ${receiver.url}/…`,
      `webhook | webhook | everything | person | ${receiver.url}/hook`,
      '',
    ])
    expect(JSON.parse((await box.run(['notify', 'list', '--json'])).stdout).targets).toHaveLength(3)
    const tested = await box.run(['notify', 'test', 'team', '--json'])
    expect([tested.code, JSON.parse(tested.stdout)]).toEqual([0, { delivered: true, finding: 'HTTP 200' }])
    receiver.reply = response => response.writeHead(500).end()
    expect(await box.run(['notify', 'test', 'ntfy'])).toMatchObject({
      code: 1,
      stderr: 'ntfy did not accept the message: HTTP 500\n',
    })
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer tk_hidden'])
    expect((await box.run(['notify', 'remove', 'team'])).code).toBe(0)
    expect((await box.run(['notify', 'remove', 'team'])).code).toBe(4)
    expect((await box.run(['notify', 'add', 'pigeon', receiver.url])).code).toBe(1)
    expect((await box.run(['notify', 'add', 'ntfy', 'https://ntfy.sh/'])).stderr).toContain('must end in a topic')
  })

  it.each([
    ['add', 'slack', 'https://x.example'],
    ['test', 'x'],
    ['remove', 'x'],
  ])('%s is for people: it exits 5 for an agent', async (...args) => {
    const box = await sandbox()
    expect((await box.run(['notify', ...args], { env: { CLAUDECODE: '1' } })).code).toBe(5)
    expect(await box.hub.targets.list()).toEqual([])
  })

  it('has beckon serve tell of what is asked, also of what was asked before it ran, and count', async () => {
    const box = await sandbox()
    const receiver = await startReceiver()
    await box.run(['notify', 'add', 'webhook', receiver.url])
    const early = await box.ask({ questions: [{ question: 'Early?' }] })
    const server = box.start(['serve', '--port', '0', '--no-link'])
    const url = await until(() => /^(http:\S+)$/m.exec(server.written().stdout)?.[1], 'the address')
    await receiver.came(1)
    const late = await box.ask({ questions: [{ question: 'Late?' }] })
    const got = await receiver.came(2)
    expect(got.map(({ json }) => json.url)).toEqual([`${url}/requests/${early.id}`, `${url}/requests/${late.id}`])
    const secret = (await box.run(['token', 'create', '--scope', 'answer'])).stdout.trim()
    const metrics = async () =>
      (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${secret}` } })).text()
    await until(async () => (await metrics()).includes('beckon_messages_sent 2\n'), 'the numbers')
    expect(await metrics()).toContain('beckon_messages_given_up 0\n')
    const admin = (await box.run(['token', 'create', '--scope', 'admin'])).stdout.trim()
    const tested = await box.run(['notify', 'test', 'webhook'], { env: { BECKON_URL: url, BECKON_TOKEN: admin } })
    expect(tested).toMatchObject({ code: 0, stderr: 'webhook accepted the message: HTTP 200\n' })
    expect(receiver.received[2]?.json).toMatchObject({ event: 'test', url })
    server.child.kill('SIGTERM')
    expect(await server.result).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await box.run(['doctor'])
    expect(stdout).toMatch(/ok {3}notifications +1 targets: 0 messages wait, 2 were sent and 0 given up within a day/)
  })
})
