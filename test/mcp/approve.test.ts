import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from '../cli/sandbox.ts'
import { connectStdio } from './mcp-client.ts'

const claude = { name: 'claude-code', env: { CLAUDE_CODE_SESSION_ID: 's-1' } }

describe('approve', () => {
  it('allows what the guard allows and refuses what it refuses, and asks nobody', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox)
    expect(await call('approve', { command: 'ls' })).toMatchObject({ id: null, status: 'allowed', verdict: 'allow' })
    const denied = await call('approve', { command: 'rm -rf /' })
    expect(denied).toMatchObject({ id: null, status: 'denied', verdict: 'deny' })
    expect(denied.reasons).not.toEqual([])
    expect((await sandbox.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('runs nothing after a yes to a command; beckon approve --resume runs it, once', async () => {
    const sandbox = await createSandbox()
    const file = join(sandbox.cwd, 'notes')
    execFileSync('git', ['init', '-q', sandbox.cwd])
    writeFileSync(file, '')
    const { call } = await connectStdio(sandbox, claude)
    const asked = call('approve', { command: 'git clean -fdx', why: 'It is old.' })
    const { id } = await sandbox.pending()
    expect(await sandbox.hub.get(id)).toMatchObject({
      context: 'It is old.',
      session: 's-1',
      action: { cwd: sandbox.cwd },
    })
    await sandbox.hub.answer(id, { value: 'yes' })
    const result = await asked
    expect(result).toMatchObject({ id, status: 'answered', value: 'yes', verdict: 'allow' })
    expect(result.next).toContain(`beckon approve --resume ${id}`)
    expect(existsSync(file)).toBe(true)
    expect((await sandbox.run(['approve', '--resume', id])).code).toBe(0)
    expect(existsSync(file)).toBe(false)
    expect(await call('wait', { id })).toMatchObject({ verdict: 'deny', next: `${id} was used already. Ask again.` })
  })

  it('tells a no from a ticket', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox, { args: ['--wait', '100ms'] })
    const ticket = await call('approve', { command: 'git push --force' })
    expect(ticket).toMatchObject({ status: 'pending', verdict: 'ask' })
    await sandbox.hub.decline(ticket.id, { reason: 'use a branch' })
    expect(await call('wait', { id: ticket.id })).toMatchObject({
      ...{ id: ticket.id, status: 'declined', verdict: 'deny', reason: 'use a branch' },
    })
  })

  it('spends a yes to a call of a tool when it returns it', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox, claude)
    const sendMail = { tool: 'send_mail', input: { to: 'all@example.com', bcc: null } }
    const asked = call('approve', sendMail)
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'yes' })
    expect(await asked).toMatchObject({ id, verdict: 'allow', value: 'yes' })
    expect((await sandbox.hub.get(id)).usedAt).not.toBeNull()
    expect(await call('wait', { id })).toMatchObject({ id, verdict: 'deny' })
    // The same call again needs another yes; a person may change its input.
    const again = call('approve', sendMail)
    const next = await sandbox.pending()
    expect(next.id).not.toBe(id)
    await sandbox.hub.answer(next.id, { value: 'yes', edited: { input: { to: 'me@example.com', bcc: null } } })
    expect(await again).toMatchObject({ verdict: 'allow', input: { to: 'me@example.com' } })
  })

  it('hands the changed command of a shell back in the input that it came in', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox)
    const asked = call('approve', { tool: 'shell', input: { cmd: 'git push --force', timeout: 5 } })
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'yes', edited: { command: 'git push' } })
    expect(await asked).toMatchObject({ id, verdict: 'allow', input: { cmd: 'git push', timeout: 5 } })
  })

  it('takes up a yes that came after the ticket, and never in another session', async () => {
    const sandbox = await createSandbox()
    const short = { ...claude, args: ['--wait', '100ms'] }
    const { call } = await connectStdio(sandbox, short)
    const other = await connectStdio(sandbox, { ...short, env: { CLAUDE_CODE_SESSION_ID: 's-2' } })
    const publish = { tool: 'publish', input: { version: 2 } }
    const ticket = await call('approve', publish)
    expect((await other.call('approve', publish)).id).not.toBe(ticket.id)
    await sandbox.hub.answer(ticket.id, { value: 'yes' })
    expect(await other.call('wait', { id: ticket.id })).not.toHaveProperty('verdict')
    expect((await sandbox.hub.get(ticket.id)).usedAt).toBeNull()
    expect(await call('approve', publish)).toMatchObject({ id: ticket.id, verdict: 'allow' })
  })
})

describe('permission', () => {
  const bash = (command: string, id: string) => ({ tool_name: 'Bash', input: { command }, tool_use_id: id })
  const host = { ...claude, args: ['--permission-host'] }

  it("answers in Claude's own form: allowed, changed, denied, refused", async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox, host)
    expect(await call('permission', bash('ls', 't0'))).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } })
    expect(await call('permission', bash('rm -rf /', 't1'))).toMatchObject({ behavior: 'deny' })
    const changed = call('permission', bash('git push --force', 't2'))
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'yes', edited: { command: 'git push --force-with-lease' } })
    expect(await changed).toEqual({ behavior: 'allow', updatedInput: { command: 'git push --force-with-lease' } })
    expect(await sandbox.hub.get(id)).toMatchObject({ call: { session: 's-1', id: 't2' } })
    expect((await sandbox.hub.get(id)).usedAt).not.toBeNull()
    const denied = call('permission', { tool_name: 'Write', input: { file_path: 'a' }, tool_use_id: 't3', newer: 1 })
    await sandbox.hub.decline((await sandbox.pending()).id, { reason: 'not that file' })
    expect(await denied).toMatchObject({ behavior: 'deny', message: expect.stringContaining('not that file') })
  })

  it('answers AskUserQuestion with the answers in its input', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox, host)
    const questions = [{ question: 'Which db?', header: 'DB', options: [{ label: 'SQLite' }], multiSelect: false }]
    const asked = call('permission', { tool_name: 'AskUserQuestion', input: { questions }, tool_use_id: 't1' })
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'SQLite' })
    const updatedInput = { questions, answers: { 'Which db?': 'SQLite' } }
    expect(await asked).toEqual({ behavior: 'allow', updatedInput })
  })

  it('denies at the limit of the host, and the same call takes the request up, also after a crash', async () => {
    const sandbox = await createSandbox()
    const short = { ...claude, args: ['--permission-host', '--wait', '150ms'] }
    const first = await connectStdio(sandbox, short)
    const denied = await first.call('permission', bash('git push --force', 't1'))
    const { id } = await sandbox.pending()
    expect(denied).toMatchObject({ behavior: 'deny', message: expect.stringContaining(id) })
    // The model calls again, under another id: here, and after the server was killed.
    await first.call('permission', bash('git push --force', 't2'))
    process.kill(first.pid, 'SIGKILL')
    const second = await connectStdio(sandbox, short)
    await second.call('permission', bash('git push --force', 't3'))
    expect((await sandbox.hub.list()).requests.map(request => request.id)).toEqual([id])
    await sandbox.hub.answer(id, { value: 'yes' })
    expect(await second.call('permission', bash('git push --force', 't4'))).toMatchObject({ behavior: 'allow' })
    // That yes is spent.
    await second.call('permission', bash('git push --force', 't5'))
    await until(async () => (await sandbox.hub.list()).requests.some(request => request.id !== id), 'another request')
  })

  it('denies where nobody could be asked', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox, host)
    mkdirSync(join(sandbox.cwd, '.beckon'))
    writeFileSync(join(sandbox.cwd, '.beckon', 'rules.json'), 'not rules')
    const denied = await call('permission', bash('git push --force', 't1'))
    expect(denied).toMatchObject({ behavior: 'deny', message: expect.stringContaining('rules.json') })
  })
})
