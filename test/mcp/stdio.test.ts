import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from '../cli/sandbox.ts'
import { connectStdio } from './mcp-client.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', { label: 'no', description: 'wait' }] }] }

describe('ask', () => {
  it('returns the answer, with who gave it and where, and counts it as delivered', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox, { name: 'claude-code', env: { CLAUDE_CODE_SESSION_ID: 's-1' } })
    const result = call('ask', { ...shipIt, context: '# Why' })
    const request = await sandbox.pending()
    expect(request).toMatchObject({
      kind: 'question',
      context: '# Why',
      session: 's-1',
      agent: { name: 'claude-code', cwd: sandbox.cwd },
      questions: [{ question: 'Ship it?', allowOther: true, options: [{ label: 'yes' }, { description: 'wait' }] }],
    })
    await sandbox.run(['answer', request.id, 'yes', '--note', 'go'])
    const { id } = request
    expect(await result).toEqual({
      ...{ id, status: 'answered', value: 'yes' },
      answers: [{ id: 'q1', question: 'Ship it?', selected: ['yes'], text: null, note: null }],
      ...{ by: 'person', channel: 'cli', note: 'go', reason: null },
    })
    await until(async () => (await sandbox.hub.get(id)).deliveredAt, 'the delivery')
  })

  it('returns what was declined and what expired as results, and several answers by question', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox)
    const expired = await call('ask', { questions: [{ question: 'Quick?' }], timeout: '50ms', onTimeout: 'fail' })
    expect(expired).toMatchObject({ status: 'expired', value: null, channel: 'policy' })
    const defaulted = { question: 'Late?', options: ['a', 'b'], default: 'b' }
    expect(await call('ask', { questions: [defaulted], timeout: '50ms', onTimeout: 'default' })).toMatchObject({
      ...{ status: 'defaulted', value: 'b' },
    })
    const declined = call('ask', { questions: [{ question: 'Really?', allowOther: false, options: ['yes'] }] })
    await sandbox.hub.decline((await sandbox.pending()).id, { reason: 'not now' })
    expect(await declined).toMatchObject({ status: 'declined', reason: 'not now', answers: [] })
    const two = call('ask', { questions: [{ question: 'A?' }, { question: 'B?', header: 'B' }] })
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, {
      answers: [
        { id: 'q1', value: '1' },
        { id: 'q2', value: '2' },
      ],
    })
    expect(await two).toMatchObject({ value: null, answers: [{ question: 'A?', text: '1' }, { text: '2' }] })
  })

  it('hands out a ticket before the limit of the host, and wait takes it up', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox, { env: { MCP_TOOL_TIMEOUT: '600' } })
    const ticket = await call('ask', shipIt)
    const next = `Not an answer. Call wait with {"id":"${ticket.id}"}.`
    expect(ticket).toEqual({ id: ticket.id, status: 'pending', next })
    expect(await call('wait', { id: ticket.id, for: '1h' })).toEqual(ticket)
    await sandbox.hub.answer(ticket.id, { value: 'no' })
    expect(await call('wait', { id: ticket.id, for: '0s' })).toMatchObject({ status: 'answered', value: 'no' })
    await until(async () => (await sandbox.hub.get(ticket.id)).deliveredAt, 'the delivery')
    expect(await call('ask', { ...shipIt, async: true })).toMatchObject({ status: 'pending' })
  })

  it('leaves a request open when its call is cancelled, and the same words join it', async () => {
    const sandbox = await createSandbox()
    const env = { CLAUDE_CODE_SESSION_ID: 's-1' }
    const { call } = await connectStdio(sandbox, { name: 'claude-code', env })
    const cancelled = new AbortController()
    const first = call('ask', shipIt, useId('toolu_1'), { signal: cancelled.signal })
    const { id } = await sandbox.pending()
    cancelled.abort()
    await expect(first).rejects.toThrow()
    // A model that calls again does so under another id; the answer may have come in between.
    const again = call('ask', shipIt, useId('toolu_2'))
    await sandbox.hub.answer(id, { value: 'yes' })
    expect(await again).toMatchObject({ id, value: 'yes' })
    await until(async () => (await sandbox.hub.get(id)).deliveredAt, 'the delivery')
    const anew = call('ask', shipIt, useId('toolu_3'))
    expect((await sandbox.pending()).id).not.toBe(id)
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'no' })
    expect(await anew).toMatchObject({ value: 'no' })
  })

  it('makes two requests of two calls with the same words at once, and of two sessions', async () => {
    const sandbox = await createSandbox()
    const options = { name: 'claude-code', env: { CLAUDE_CODE_SESSION_ID: 's-1' } }
    const { call } = await connectStdio(sandbox, options)
    const other = await connectStdio(sandbox, { ...options, env: { CLAUDE_CODE_SESSION_ID: 's-2' } })
    const results = [call('ask', shipIt, useId('a')), call('ask', shipIt, useId('b')), other.call('ask', shipIt)]
    await until(async () => (await sandbox.hub.list()).requests.length === 3, 'three requests')
    for (const { id } of (await sandbox.hub.list()).requests) await sandbox.hub.answer(id, { value: 'yes', note: id })
    const answered = await Promise.all(results)
    expect(new Set(answered.map(({ id }) => id)).size).toBe(3)
    for (const { id, note } of answered) expect(note).toBe(id)
  })

  it("uses the model's own key, and refuses it for something else", async () => {
    const sandbox = await createSandbox()
    const { call, refusal } = await connectStdio(sandbox)
    const first = await call('ask', { ...shipIt, key: 'release', async: true })
    expect((await sandbox.hub.get(first.id)).key).toBe('release')
    expect(await call('ask', { ...shipIt, key: 'release', async: true })).toEqual(first)
    const other = { questions: [{ question: 'Other?' }], key: 'release' }
    expect(await refusal('ask', other)).toMatchObject({ code: 'key_conflict' })
  })
})

describe('the other tools', () => {
  it('need returns a reference, and a command gets the value by it', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox)
    const needed = call('need', { type: 'api_key', name: 'STRIPE_KEY', description: 'a test key' })
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'sk_test_0123456789' })
    const result = await needed
    expect(JSON.stringify(result)).not.toContain('sk_test')
    expect(result).toMatchObject({ id, status: 'answered', reference: id.replace('req_', 'ref_'), value: null })
    expect(result.next).toContain(`beckon need api_key STRIPE_KEY --ref ${result.reference} -- COMMAND`)
    const args = ['need', 'api_key', 'STRIPE_KEY', '--ref', `${result.reference}`, '--', 'sh', '-c', 'echo $STRIPE_KEY']
    expect(await sandbox.run(args)).toMatchObject({ code: 0, stdout: 'sk_test_0123456789\n' })
    const optional = call('need', { type: 'permission', name: 'DEPLOY', description: 'may I?', optional: true })
    await sandbox.hub.skip((await sandbox.pending()).id)
    expect(await optional).toMatchObject({ status: 'skipped', value: null })
  })

  it('review returns the feedback', async () => {
    const sandbox = await createSandbox()
    execFileSync('git', ['init', '-q'], { cwd: sandbox.cwd })
    writeFileSync(join(sandbox.cwd, 'sly.ts'), 'not named\n')
    const { call } = await connectStdio(sandbox)
    const reviewed = call('review', { title: 'The parser', files: ['src/a.ts'], context: 'Read it.' })
    const request = await sandbox.pending()
    expect(request).toMatchObject({
      kind: 'review',
      title: 'The parser',
      files: ['src/a.ts'],
      diff: expect.stringContaining('+not named'),
      context: expect.stringMatching(/^Read it\.[\s\S]+Changed but not named:\n\n- `sly\.ts`/),
    })
    await sandbox.hub.answer(request.id, { value: 'changes', text: 'Shorter names.' })
    expect(await reviewed).toMatchObject({ status: 'answered', value: 'changes', feedback: 'Shorter names.' })
  })

  it('cancel withdraws own requests only, and tells what was settled before', async () => {
    const sandbox = await createSandbox()
    const { call, refusal } = await connectStdio(sandbox, { env: { CLAUDE_CODE_SESSION_ID: 's-1' } })
    const other = await connectStdio(sandbox, { env: { CLAUDE_CODE_SESSION_ID: 's-2' } })
    const { id } = await call('ask', { ...shipIt, async: true })
    const foreign = await sandbox.ask({ questions: [{ question: 'Mine?' }] })
    expect(await refusal('cancel', { id: foreign.id })).toMatchObject({ code: 'not_allowed' })
    expect(await other.refusal('cancel', { id })).toMatchObject({ code: 'not_allowed' })
    expect(await call('cancel', { id })).toMatchObject({ id, status: 'cancelled', channel: 'mcp' })
    const settled = await call('ask', { ...shipIt, async: true })
    await sandbox.hub.answer(settled.id, { value: 'yes' })
    // Another session sees the outcome, and does not take it.
    expect(await other.call('wait', { id: settled.id })).toMatchObject({ value: 'yes' })
    expect((await sandbox.hub.get(settled.id)).deliveredAt).toBeNull()
    expect(await call('cancel', { id: settled.id })).toMatchObject({ status: 'answered', value: 'yes' })
  })
})

describe('the server', () => {
  it('names its hub without secrets, and refuses one that cannot be written', async () => {
    const sandbox = await createSandbox()
    const { said } = await connectStdio(sandbox)
    expect(said()).toContain(`${sandbox.home}/beckon.db`)
    const unreachable = await sandbox.run(['mcp'], {
      env: { BECKON_URL: 'http://someone:hunter2@127.0.0.1:1/', BECKON_TOKEN: 'beckon_ask_secret' },
    })
    expect(unreachable).toMatchObject({ code: 74, stdout: '' })
    expect(unreachable.stderr).not.toMatch(/hunter2|beckon_ask_secret/)
    const missing = await sandbox.run(['mcp'], { env: { BECKON_DB: '/proc/none/beckon.db' } })
    expect(missing.code).not.toBe(0)
    expect(missing.stderr).toMatch(/^beckon: /)
  })

  it('lists its tools with schemas, and permission only for a permission host', async () => {
    const sandbox = await createSandbox()
    const { client } = await connectStdio(sandbox)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['ask', 'approve', 'need', 'review', 'reply', 'wait', 'cancel'])
    for (const { inputSchema } of tools) expect(JSON.stringify(inputSchema)).not.toContain('{}')
    const host = await connectStdio(sandbox, { args: ['--permission-host'] })
    expect((await host.client.listTools()).tools.at(-1)?.name).toBe('permission')
  })

  it('asks where the client works, in its run', async () => {
    const sandbox = await createSandbox()
    const run = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd, name: 'night' })
    const options = { env: { BECKON_RUN: run.id }, roots: [sandbox.root, '/elsewhere'] }
    const inside = await connectStdio(sandbox, options)
    const { id } = await inside.call('ask', { ...shipIt, async: true })
    expect(await sandbox.hub.get(id)).toMatchObject({ run: run.id, agent: { name: 'test-client', cwd: sandbox.cwd } })
    const outside = await connectStdio(sandbox, { roots: ['/elsewhere/shop'], name: 'Some \u001b[31mClient' })
    const other = await outside.call('ask', { ...shipIt, async: true })
    const { agent, run: none } = await sandbox.hub.get(other.id)
    expect([agent.cwd, none]).toEqual(['/elsewhere/shop', null])
    expect(agent.name).not.toContain('\u001b')
  })

  it('names every problem of hostile input, and stays alive', async () => {
    const sandbox = await createSandbox()
    const { call, refusal, client } = await connectStdio(sandbox)
    const wrong = await refusal('ask', {
      questions: [{ question: 5, options: [{}], surprise: 1 }, { question: 'a\0b' }],
      timeout: 'soon',
      onTimeout: 'never',
      more: true,
    })
    expect(wrong.problems?.map(({ path }) => path)).toEqual([
      ...['questions[0].question', 'questions[0].options[0].label', 'questions[0].surprise', 'questions[1].question'],
      ...['onTimeout', 'more'],
    ])
    const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`)
    expect((await refusal('approve', { tool: 'Write', input: deep })).message).toContain('nested too deeply')
    expect((await refusal('ask', { questions: deep })).message).toContain('questions[0]')
    expect((await refusal('ask', { questions: [{ question: 'x'.repeat(9_000_000) }] })).message).toContain('too long')
    expect((await refusal('ask', { questions: [] })).message).toContain('at least one question')
    expect((await refusal('wait', { id: 'req_nothing', for: 'ever' })).message).toContain('not a duration')
    expect((await refusal('wait', { id: 'req_nothing' })).code).toBe('not_found')
    expect((await refusal('delete_everything', {})).message).toContain('There is no tool')
    expect((await refusal('approve', { command: 'ls', tool: 'Bash' })).problems).toHaveLength(2)
    await expect(client.callTool({ name: 'ask', arguments: 'text' as never })).rejects.toThrow()
    expect(await call('ask', { ...shipIt, async: true })).toMatchObject({ status: 'pending' })
  })

  it('answers lines that are no messages, and one that never should end', async () => {
    const sandbox = await createSandbox()
    const list = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}'
    const deep = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"ask","arguments":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}`
    const input = ['nonsense', '{"id":5}', `"${'x'.repeat(34_000_000)}"`, '', deep, list, ''].join('\n')
    const { code, stdout } = await sandbox.run(['mcp'], { input })
    const replies = stdout.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
    expect(replies.slice(0, 3).map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32_700],
      [5, -32_600],
      [null, -32_600],
    ])
    const byId = new Map(replies.map(reply => [reply.id, reply]))
    expect(byId.get(8).result).toMatchObject({ isError: true })
    expect(byId.get(7).result.tools).toHaveLength(7)
    expect(code).toBe(0)
  })

  it('answers fifty calls at once, each with its own answer', async () => {
    const sandbox = await createSandbox()
    const { call } = await connectStdio(sandbox)
    const results = Array.from({ length: 50 }, (_, i) => call('ask', { questions: [{ question: `Number ${i}?` }] }))
    await until(async () => (await sandbox.hub.list({ limit: 100 })).requests.length === 50, 'fifty requests')
    const { requests } = await sandbox.hub.list({ limit: 100 })
    await Promise.all(
      requests.map(request => {
        const [question] = request.kind === 'question' ? request.questions : []
        return sandbox.hub.answer(request.id, { value: `${question?.question.replaceAll(/\D/g, '')}` })
      }),
    )
    expect((await Promise.all(results)).map(({ value }) => value)).toEqual(results.map((_, i) => `${i}`))
  })

  it('can be killed while a call waits: called again, the same request is answered once', async () => {
    const sandbox = await createSandbox()
    const killed = await connectStdio(sandbox)
    const lost = killed.call('ask', shipIt)
    const { id } = await sandbox.pending()
    process.kill(killed.pid, 'SIGKILL')
    await expect(lost).rejects.toThrow()
    // Answered while nobody is there.
    await sandbox.hub.answer(id, { value: 'yes' })
    const { call } = await connectStdio(sandbox)
    expect(await call('ask', shipIt)).toMatchObject({ id, value: 'yes' })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it('ends with its client, and leaves what it asked open', async () => {
    const sandbox = await createSandbox()
    const { client, call, pid } = await connectStdio(sandbox)
    call('ask', shipIt).catch(() => {})
    const { id } = await sandbox.pending()
    await client.close()
    await until(() => !isAlive(pid), 'the end of the server')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
  })
})

function useId(id: string) {
  return { 'claudecode/toolUseId': id }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
