import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from '../cli/sandbox.ts'
import { connectHttp, connectStdio } from './mcp-client.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

describe('a person asks back over MCP', () => {
  it('the model gets the message once, replies, and waits on, also after its server was killed', async () => {
    const sandbox = await createSandbox()
    const { hub } = sandbox
    const env = { CLAUDE_CODE_SESSION_ID: 's-1' }
    const first = await connectStdio(sandbox, { name: 'claude-code', env })
    const cutOff = first.call('ask', shipIt).catch(() => null)
    const { id, canReply } = await sandbox.pending()
    expect(canReply).toBe(true)
    process.kill(first.pid, 'SIGKILL')
    await cutOff
    await hub.messages.send(id, { text: 'Is it tested?' })

    const { call, refusal } = await connectStdio(sandbox, { name: 'claude-code', env })
    const asked = await call('ask', shipIt)
    const [message] = (await hub.get(id)).messages
    expect(asked).toEqual({
      next: expect.stringMatching(/^Not an answer\. /),
      id,
      status: 'pending',
      messages: [message],
    })
    expect(JSON.stringify(asked).startsWith('{"next":"Not an answer.')).toBe(true)
    await until(async () => (await hub.messages.unheard(id)).length === 0, 'the message to be taken')
    expect(await call('wait', { id, for: '0s' })).toEqual({ id, status: 'pending', next: expect.any(String) })

    const replied = call('reply', { id, text: 'By 40 tests.' })
    await until(async () => (await hub.get(id)).messages.length === 2, 'the reply')
    await hub.messages.send(id, { text: 'On ARM?' })
    expect(await replied).toMatchObject({ status: 'pending', messages: [{ text: 'On ARM?' }] })
    const waiting = call('reply', { id, text: 'Yes.' })
    await until(async () => (await hub.get(id)).messages.length === 4, 'the second reply')
    await hub.answer(id, { value: 'yes' })
    expect(await waiting).toMatchObject({ status: 'answered', value: 'yes' })
    expect(await call('reply', { id, text: 'Too late.' })).toMatchObject({ status: 'answered' })
    expect((await hub.get(id)).messages.map(({ from, by }) => [from, by])).toEqual([
      ['person', 'tester'],
      ['agent', 'claude-code'],
      ['person', 'tester'],
      ['agent', 'claude-code'],
    ])
    const foreign = await sandbox.ask({ ...shipIt, agent: { name: 'codex' }, canReply: true })
    expect(await refusal('reply', { id: foreign.id, text: 'Mine' })).toMatchObject({ code: 'not_allowed' })
  })

  it('over HTTP too, about an approval, and nothing about it changes', async () => {
    const sandbox = await createSandbox()
    const { child, written } = sandbox.start(['serve', '--port', '0', '--no-link'])
    const url = await until(() => /^http\S+/.exec(written().stdout)?.[0], 'the address')
    const { secret } = await sandbox.hub.tokens.create({ scope: 'ask', name: 'ci' })
    const { call } = await connectHttp(url, secret)
    const other = await connectHttp(url, (await sandbox.hub.tokens.create({ scope: 'ask', name: 'other' })).secret)
    const asked = call('approve', { command: 'git push --force', cwd: sandbox.cwd })
    const before = await sandbox.pending()
    await sandbox.hub.messages.send(before.id, { text: 'Why force?' })
    expect(await asked).toMatchObject({ verdict: 'ask', status: 'pending', messages: [{ text: 'Why force?' }] })
    expect((await other.refusal('reply', { id: before.id, text: 'Because' })).code).toBe('not_found')
    const replied = call('reply', { id: before.id, text: 'It is harmless: severity none.' })
    await until(async () => (await sandbox.hub.get(before.id)).messages.length === 2, 'the reply')
    const { messages, ...after } = await sandbox.hub.get(before.id)
    expect({ ...after, messages: [] }).toEqual(before)
    expect(messages[1]).toMatchObject({ from: 'agent', by: 'ci' })
    await sandbox.hub.answer(before.id, { value: 'yes' })
    expect(await replied).toMatchObject({ verdict: 'allow' })
    child.kill('SIGTERM')
    await once(child, 'close')
  })
})
