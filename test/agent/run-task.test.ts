import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { widthOf } from '../../src/text/width.ts'
import { createSandbox, until } from '../cli/sandbox.ts'
import { resultsIn, type Script, startModelServer } from './model-server.ts'

async function createModelSandbox(script: Script) {
  const sandbox = await createSandbox()
  const server = await startModelServer(script)
  sandbox.atEnd(() => server.close())
  Object.assign(sandbox.env, server.env, { BECKON_MODEL: 'anthropic/scripted' })
  return { ...sandbox, server }
}

const asksFirst: Script = (seen, count) =>
  count === 1
    ? { calls: [{ name: 'AskUserQuestion', input: { question: 'Which?', options: ['a', 'b'] } }] }
    : { text: `It is ${resultsIn(seen)[0]}` }

describe('beckon agent run', () => {
  it('works on a task, prints only the final reply, and is listed as a run', async () => {
    const { run, hub, cwd } = await createModelSandbox((_, count) =>
      count === 1
        ? { text: 'I look.', calls: [{ name: 'Bash', input: { command: 'echo hi' } }] }
        : { text: '**Done.**' },
    )
    expect(await run(['agent', 'run', 'say hi'])).toMatchObject({ code: 0, stdout: '**Done.**\n' })
    expect(await hub.runs.list()).toMatchObject([{ name: 'say hi', status: 'completed', exitCode: 0, cwd }])
  })

  it('prints every event as a line of JSON', async () => {
    const { run } = await createModelSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'echo \u001b[31mred' } }] } : { text: 'Done.' },
    )
    const { code, stdout } = await run(['agent', 'run', '--json', 'go'])
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(code).toBe(0)
    expect(events.map(({ type }) => type)).toEqual(['reply', 'call', 'output', 'result', 'text', 'reply', 'end'])
    expect(events.at(-1)).toMatchObject({ status: 'done', text: 'Done.', usage: { input: 200 } })
    expect(stdout).not.toContain('\u001b')
  })

  it('tells on stderr of retries, shortened outputs and summaries', async () => {
    const { run, cwd } = await createModelSandbox((seen, count) => {
      if (seen.system.includes('You are summarising')) return { text: 'a summary' }
      if (count === 1) return { status: 529, text: 'Overloaded', headers: { 'retry-after': '0' } }
      if (count <= 5) return { calls: [{ name: 'Read', input: { path: 'big.log', limit: 5_000 } }] }
      return { text: 'Done.' }
    })
    writeFileSync(join(cwd, 'big.log'), 'a line of the log\n'.repeat(3_000))
    const { code, stdout, stderr } = await run(['agent', 'run', '--context-tokens', '9000', 'read it'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' })
    expect(stderr).toContain('beckon: The model does not answer (Overloaded (HTTP 529)). Retrying in 0 s.\n')
    expect(stderr).toMatch(/beckon: The output of Read was cut for the model\. All of it is in \S+\.txt\n/)
    expect(stderr).toMatch(/beckon: Summarised the earlier conversation; the context is now about [\d,]+ tokens\.\n/)
  })

  it('writes a debug log that only its owner reads, without keys and secrets', async () => {
    const need = 'beckon need api_key SHOP_KEY --description "a test key" -- bash -c \'echo "got $SHOP_KEY"\''
    const { start, pending, hub, cwd } = await createModelSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: need } }] } : { text: 'Done.' },
    )
    const running = start(['agent', 'run', '--debug', 'debug.log', 'use test-key'])
    await hub.answer((await pending()).id, { value: 'sk-canary-0123456789' })
    expect(await running.result).toMatchObject({ code: 0 })
    const text = readFileSync(join(cwd, 'debug.log'), 'utf8')
    const lines = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(statSync(join(cwd, 'debug.log')).mode & 0o777).toBe(0o600)
    expect(lines.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['request', 'response', 'call', 'result', 'reply']),
    )
    expect(lines.find(({ type }) => type === 'request')).toMatchObject({
      at: expect.stringMatching(/^\d{4}-/),
      model: 'anthropic/scripted',
      messages: [{ role: 'user', content: 'use [redacted]' }],
    })
    expect(lines.find(({ type }) => type === 'result').output).toBe('got [redacted]')
    expect(text).not.toMatch(/test-key|canary/)
    const refused = await start(['agent', 'run', '--debug', 'nowhere/debug.log', 'go']).result
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--debug cannot write') })
  })

  it('prints a ticket when nobody answers in time, and wakes with its environment when the answer comes', async () => {
    const { run, hub, server, home } = await createModelSandbox(asksFirst)
    const first = await run(['agent', 'run', 'go'], { env: { BECKON_WAIT: '300ms' } })
    expect(first.code).toBe(75)
    const ticket = JSON.parse(first.stdout)
    expect(ticket).toMatchObject({ status: 'pending', id: expect.stringMatching(/^req_/) })
    expect(ticket.resume).toBe('beckon agent run --continue')
    const [asleep] = await hub.runs.list()
    expect(asleep).toMatchObject({ name: 'go', status: 'asleep', waiting: ['waiting_question'] })
    expect(server.log).toHaveLength(1)
    expect(readFileSync(join(home, 'runs', asleep?.id ?? '', 'environment'), 'latin1')).not.toContain('test-key')
    await hub.answer(ticket.id, { value: 'b' })
    const woken = await until(
      async () => (await hub.runs.list()).find(({ status }) => status === 'completed'),
      'its end',
    )
    expect(woken).toMatchObject({ id: asleep?.id, name: 'go', exitCode: 0 })
    expect(server.log).toHaveLength(2)
    expect(resultsIn(server.log[1] as never)).toEqual(['User selected: b'])
    expect(server.violations).toEqual([])
    // Its environment is kept sealed while it sleeps, and deleted afterwards.
    await until(
      () => !existsSync(join(home, 'runs', asleep?.id ?? '', 'environment')),
      'the deletion of its environment',
    )
  })

  it('resumes an interrupted conversation with --continue, in one process at a time', async () => {
    const { start, run, pending, hub } = await createModelSandbox(asksFirst)
    const running = start(['agent', 'run', 'go'])
    const request = await pending()
    expect(await run(['agent', 'run', '--continue'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('open in another process'),
    })
    expect(await hub.runs.get(request.run ?? '')).toMatchObject({ status: 'running', pid: running.child.pid })
    running.child.kill('SIGKILL')
    await running.result
    const again = start(['agent', 'run', '--continue'])
    // An answer to a run that nobody looks after would bring it back in another process.
    await until(async () => (await hub.runs.get(request.run ?? '')).pid === again.child.pid, 'the run to start again')
    await hub.answer(request.id, { value: 'b' })
    expect(await again.result).toMatchObject({ code: 0, stdout: 'It is User selected: b\n' })
    expect(await hub.runs.list()).toMatchObject([{ status: 'completed', name: 'go' }])
  })

  it('is continued by one of several processes that try at once, and its run belongs to that one', async () => {
    const { start, pending, hub } = await createModelSandbox(asksFirst)
    const running = start(['agent', 'run', 'go'])
    const { id, run = '' } = await pending()
    running.child.kill('SIGKILL')
    await running.result
    const tries = [1, 2, 3, 4].map(() => start(['agent', 'run', '--continue']))
    let refused = 0
    for (const { result } of tries) void result.then(() => (refused += 1))
    await until(() => refused === 3, 'three of them to be refused')
    const winner = tries.find(({ child }) => child.exitCode === null)
    expect(await hub.runs.get(run ?? '')).toMatchObject({ status: 'running', pid: winner?.child.pid })
    await hub.answer(id, { value: 'b' })
    expect(await winner?.result).toMatchObject({ code: 0, stdout: 'It is User selected: b\n' })
  })

  it('continues when the answer comes while it waits', async () => {
    const { start, pending, hub } = await createModelSandbox(asksFirst)
    const running = start(['agent', 'run', 'go'])
    await hub.answer((await pending()).id, { value: 'a' })
    expect(await running.result).toMatchObject({ code: 0, stdout: 'It is User selected: a\n' })
  })

  it('fails with --no-human fail when it has to ask, and runs nothing', async () => {
    const { run, hub, cwd } = await createModelSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'rm -rf src' } }] } : { text: 'Done.' },
    )
    mkdirSync(join(cwd, 'src'))
    const { code, stderr } = await run(['agent', 'run', '--no-human', 'fail', 'go'])
    expect(code).toBe(69)
    expect(stderr).toContain('nobody can answer it here')
    expect(existsSync(join(cwd, 'src'))).toBe(true)
    expect((await hub.list({ status: 'all' })).requests).toMatchObject([{ kind: 'approval', status: 'cancelled' }])
  })

  it('stops when its run is stopped, and withdraws its question', async () => {
    const { start, pending, run, hub } = await createModelSandbox(asksFirst)
    const running = start(['agent', 'run', 'go'])
    const request = await pending()
    await run(['runs', 'stop', request.run ?? ''])
    const { code } = await running.result
    expect(code).not.toBe(0)
    expect(await hub.get(request.id)).toMatchObject({ status: 'cancelled' })
  })

  it('lists a line for each provider if a key is missing, and stores nothing', async () => {
    const { run, home } = await createSandbox()
    const env = {
      ANTHROPIC_API_KEY: '',
      OPENAI_API_KEY: '',
      GEMINI_API_KEY: '',
      GOOGLE_API_KEY: '',
      GOOGLE_GENERATIVE_AI_API_KEY: '',
    }
    const { code, stderr } = await run(['agent', 'run', 'go'], { env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^ {2}anthropic +export ANTHROPIC_API_KEY=/m)
    expect(stderr).toMatch(/^ {2}openai +export OPENAI_API_KEY=/m)
    expect(stderr).toMatch(/^ {2}google +export GEMINI_API_KEY=/m)
    expect(stderr).toMatch(/^ {2}openrouter +export OPENROUTER_API_KEY=/m)
    expect(stderr).toMatch(/^ {2}ollama +export BECKON_MODEL=ollama\//m)
    expect(stderr).toMatch(/^ {2}vllm +export BECKON_MODEL=vllm\//m)
    expect(stderr).toMatch(/^ {2}compatible +export BECKON_MODEL_URL=/m)
    expect(Math.max(...stderr.split('\n').map(widthOf))).toBeLessThanOrEqual(40)
    expect(existsSync(join(home, 'agent'))).toBe(false)
  })

  it.each([
    ['a model without a provider', ['agent', 'run', '--model', 'gpt', 'go'], /--model must be PROVIDER\/NAME/],
    ['no task', ['agent', 'run'], /TASK is missing/],
    ['a limit that is not a number', ['agent', 'run', '--max-turns', 'x', 'go'], /--max-turns must be a whole number/],
    ['a conversation without a terminal', ['agent'], /needs a terminal/],
  ])('refuses %s', async (_, args, message) => {
    const { run } = await createModelSandbox(() => ({ text: 'x' }))
    expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
  })

  it('prints why the call to the model failed, without the key', async () => {
    const { run, hub } = await createModelSandbox(() => ({ status: 401, text: 'invalid x-api-key' }))
    const { code, stderr } = await run(['agent', 'run', 'go'])
    expect(code).toBe(1)
    expect(stderr).toContain('invalid x-api-key (HTTP 401)')
    expect(stderr).not.toContain('test-key')
    expect(stderr).not.toContain('    at ')
    expect(await hub.runs.list()).toMatchObject([{ status: 'failed' }])
  })

  it('forgets the conversation after reset: open questions are withdrawn, and --continue finds nothing', async () => {
    const { run, hub, home } = await createModelSandbox(asksFirst)
    await run(['agent', 'run', 'go'], { env: { BECKON_WAIT: '100ms' } })
    expect(await run(['reset'])).toMatchObject({ code: 0, stderr: 'Closed the conversation.\n' })
    expect((await hub.list({ status: 'all' })).requests).toMatchObject([{ status: 'cancelled' }])
    expect(await run(['agent', 'run', '--continue'])).toMatchObject({ code: 4 })
    expect(readdirSync(join(home, 'agent'))).toHaveLength(1)
    expect(await run(['reset'])).toMatchObject({ code: 0, stderr: 'This directory has no conversation.\n' })
  })

  it('removes model keys and Beckon tokens from the environment of its commands', async () => {
    const { run, server } = await createModelSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'env; echo run=$BECKON_RUN' } }] } : { text: 'Done.' },
    )
    await run(['agent', 'run', 'go'], { env: { BECKON_TOKEN: 'secret-token', BECKON_ANSWERS: '/nowhere' } })
    const [output = ''] = resultsIn(server.log[1] as never)
    expect(output).toMatch(/run=run_/)
    expect(output).not.toContain('test-key')
    expect(output).not.toContain('secret-token')
  })

  it('does not let its commands answer its questions', async () => {
    const { start, hub, server } = await createModelSandbox((seen, count) => {
      if (count === 1)
        return {
          calls: [
            {
              name: 'Bash',
              input: {
                command: `${process.execPath} ${join(import.meta.dirname, '../../bin/beckon.js')} answer req_1 yes; echo code=$?`,
              },
            },
          ],
        }
      return { text: resultsIn(seen)[0] ?? '' }
    })
    const running = start(['agent', 'run', 'go'], { env: { BECKON_WAIT: '20s' } })
    // The guard asks about it first; also with a person's yes, the command itself refuses.
    const { id } = await until(async () => (await hub.list()).requests[0], 'an approval')
    await hub.answer(id, { value: 'yes', channel: 'terminal' })
    const { stdout } = await running.result
    expect(stdout).toContain('code=5')
    expect(server.violations).toEqual([])
  })
})
