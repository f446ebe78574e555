import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox, until } from '../cli/sandbox.ts'

const forcePush = 'git push --force origin main'

describe('what the plugin for opencode asks about a command', () => {
  it('is judged without asking anybody', async () => {
    const sandbox = await createSandbox()
    await sandbox.run(['rules', 'add', 'deny', '--note', 'use the other one', '--', 'ls'])
    expect(await judge(sandbox, 'pwd')).toEqual({ decision: 'allow' })
    expect(await judge(sandbox, forcePush)).toMatchObject({ decision: 'ask' })
    expect(await judge(sandbox, 'ls -l')).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('use the other one'),
    })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('is allowed by a yes, which is spent, and comes back as a person changed it', async () => {
    const sandbox = await createSandbox()
    const asking = ask(sandbox, forcePush)
    const { id, session, agent } = await sandbox.pending()
    expect({ session, agent }).toMatchObject({ session: 'ses_1', agent: { name: 'opencode', cwd: sandbox.cwd } })
    const edited = { command: 'git push --force-with-lease origin main' }
    await sandbox.hub.answer(id, { answers: [{ selected: ['yes'] }], edited })
    const input = { ...edited, description: 'Push' }
    expect(await asking.result).toMatchObject({ code: 0, stdout: `${JSON.stringify({ decision: 'allow', input })}\n` })
    expect(await sandbox.hub.get(id)).toMatchObject({
      call: { session: 'ses_1', id: 'call_1' },
      usedAt: expect.any(String),
    })
  })

  it('is refused with a ticket when the time is up, and goes on when the same call is made again', async () => {
    const sandbox = await createSandbox()
    const refused = await ask(sandbox, forcePush, { id: 'call_1', args: ['--wait', '0s'] }).result
    const { id } = await sandbox.pending()
    expect(JSON.parse(refused.stdout)).toEqual({ decision: 'deny', reason: expect.stringContaining(id) })
    await sandbox.hub.answer(id, { answers: [{ selected: ['yes'] }] })
    const again = await ask(sandbox, forcePush, { id: 'call_2' }).result
    expect(JSON.parse(again.stdout)).toEqual({ decision: 'allow' })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it('is withdrawn when the plugin ends the process, because it was answered in opencode', async () => {
    const sandbox = await createSandbox()
    const asking = ask(sandbox, forcePush)
    const { id } = await sandbox.pending()
    asking.child.kill('SIGTERM')
    await asking.result
    expect((await sandbox.hub.get(id)).status).toBe('cancelled')
  })

  it('is blocked where the plugin says what nobody understands', async () => {
    const sandbox = await createSandbox()
    for (const input of ['', '{"event":"judge"}', '{"event":"other"}']) {
      const { code, stdout } = await sandbox.run(['hook', 'opencode'], { input })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    }
  })
})

describe('the questions of opencode', () => {
  const questions = [
    {
      question: 'Which databases?',
      header: 'Store',
      options: [{ label: 'SQLite' }, { label: 'Postgres' }],
      multiple: true,
    },
    { question: 'Its name?', options: [], custom: true },
  ]

  it('are answered with a list for each', async () => {
    const sandbox = await createSandbox()
    const asking = hook(sandbox, { event: 'question', id: 'que_1', questions })
    const request = await sandbox.pending()
    expect(request).toMatchObject({ kind: 'question', session: 'ses_1', agent: { name: 'opencode' } })
    const answers = [
      { id: 'q1', selected: ['SQLite', 'Postgres'] },
      { id: 'q2', text: 'shop' },
    ]
    await sandbox.hub.answer(request.id, { answers })
    const { stdout } = await asking.result
    expect(JSON.parse(stdout)).toEqual({ decision: 'answered', answers: [['SQLite', 'Postgres'], ['shop']] })
    await until(async () => (await sandbox.hub.get(request.id)).deliveredAt, 'the delivery')
  })

  it('are dismissed when a person declines them', async () => {
    const sandbox = await createSandbox()
    const asking = hook(sandbox, { event: 'question', id: 'que_1', questions })
    await sandbox.hub.decline((await sandbox.pending()).id)
    expect(JSON.parse((await asking.result).stdout)).toMatchObject({ decision: 'deny' })
  })
})

async function judge(sandbox: Sandbox, command: string) {
  const { stdout } = await hook(sandbox, { event: 'judge', id: 'call_1', ...calling(command) }).result
  return JSON.parse(stdout)
}

function ask(sandbox: Sandbox, command: string, { id = 'call_1', args = [] as string[] } = {}) {
  return hook(sandbox, { event: 'ask', id, ...calling(command) }, args)
}

function calling(command: string) {
  return { tool: 'bash', input: { command, description: 'Push' } }
}

function hook(sandbox: Sandbox, document: object, args: string[] = []) {
  const input = JSON.stringify({ session: 'ses_1', cwd: sandbox.cwd, ...document })
  return sandbox.start(['hook', 'opencode', ...args], { input })
}
