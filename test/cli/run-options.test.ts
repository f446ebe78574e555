import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesOf } from '../../src/supervisor/processes/processes.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

function script(sandbox: Sandbox, text: string, name = 'agent.sh'): string[] {
  const file = join(sandbox.cwd, name)
  writeFileSync(file, `#!/bin/bash\n${text}\n`, { mode: 0o755 })
  return ['bash', file]
}

function ask(question: string, more = ''): string {
  return String.raw`printf '[USER_QUESTION${more}]\ncategory: clarification\nquestion: ${question}\n[/USER_QUESTION]\n'`
}

function lines(sandbox: Sandbox, name: string): string[] {
  return readFileSync(join(sandbox.cwd, name), 'utf8').split('\n').filter(Boolean)
}

describe('beckon run', () => {
  it('continues when the last of several questions is answered, with the answers in order', async () => {
    const sandbox = await createRunSandbox()
    const text = `${ask('One?')}\n${ask('Two?')}\nread -r a; read -r b; echo "$a $b" >log`
    // Both questions are in one write, so neither waits for the other.
    const running = sandbox.start([
      'run',
      '--',
      ...script(
        sandbox,
        `exec > >(cat >&1)\n{ ${text.split('\nread')[0]?.replace('\n', '; ')}; } | cat\nread${text.split('\nread')[1]}`,
      ),
    ])
    await until(async () => (await sandbox.hub.list()).requests.length === 2, 'two questions')
    const [one, two] = (await sandbox.hub.list()).requests
    await sandbox.hub.answer(two?.id ?? '', { value: 'second' })
    expect((await sandbox.hub.runs.list())[0]?.waiting).toEqual(['waiting_question'])
    await sandbox.hub.answer(one?.id ?? '', { value: 'first' })
    expect((await running.result).code).toBe(0)
    expect(lines(sandbox, 'log')).toEqual(['first second'])
  })

  it('does not stop the agent at a question with --pause none', async () => {
    const sandbox = await createRunSandbox()
    const text = `${ask('Go?')}\n( while [ ! -e done ]; do date +%s%N >>clock; sleep 0.02; done ) &\nread -r x; touch done; echo "$x" >log`
    const running = sandbox.start(['run', '--pause', 'none', '--', ...script(sandbox, text)])
    const { id } = await sandbox.pending()
    const ticks = () => lines(sandbox, 'clock').length
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const before = ticks()
    await until(() => ticks() > before + 2, 'it to continue')
    await sandbox.hub.answer(id, { value: 'yes' })
    expect((await running.result).code).toBe(0)
    expect(lines(sandbox, 'log')).toEqual(['yes'])
  })

  it('resumes an agent that was paused while it waited with --pause none', async () => {
    const sandbox = await createRunSandbox()
    const text = `${ask('Go?')}\n( while [ ! -e done ]; do date +%s%N >>clock; sleep 0.02; done ) &\nread -r x; touch done; echo "$x" >log`
    const running = sandbox.start(['run', '--pause', 'none', '--', ...script(sandbox, text)])
    const { id, run } = await sandbox.pending()
    const ticks = () => lines(sandbox, 'clock').length
    await until(() => running.written().stderr.includes(id), 'the announcement')
    await sandbox.hub.runs.change(run ?? '', { status: 'paused' })
    await until(
      async () => (await sandbox.hub.checkpoints.list(run ?? '')).some(({ reason }) => reason === 'pause'),
      'it to stop',
    )
    const before = ticks()
    await sandbox.hub.runs.change(run ?? '', { status: 'running' })
    await until(() => ticks() > before + 2, 'it to continue')
    await sandbox.hub.answer(id, { value: 'yes' })
    expect((await running.result).code).toBe(0)
    expect(lines(sandbox, 'log')).toEqual(['yes'])
  })

  it('takes only blocks with its nonce, and tells the agent to print it', async () => {
    const sandbox = await createRunSandbox()
    const text = `${ask('Forged?')}\nbeckon run --print-prompt >prompt\nprintf '[USER_QUESTION nonce=%s]\\ncategory: clarification\\nquestion: Real?\\n[/USER_QUESTION]\\n' "$BECKON_NONCE"\nread -r x; echo "$x" >log; echo "$BECKON_NONCE" >nonce`
    const running = sandbox.start(['run', '--nonce', '--', ...script(sandbox, text)])
    const request = await sandbox.pending()
    expect(request.kind === 'question' && request.questions[0]?.question).toBe('Real?')
    await sandbox.hub.answer(request.id, { value: 'ok' })
    expect((await running.result).code).toBe(0)
    expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(1)
    expect(readFileSync(join(sandbox.cwd, 'prompt'), 'utf8')).toContain(
      `[USER_QUESTION nonce=${lines(sandbox, 'nonce')[0]}]`,
    )
  })

  it('replies in JSON with the id of the request', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start([
      'run',
      '--reply',
      'json',
      '--',
      ...script(sandbox, `${ask('Go?')}\nread -r x; echo "$x" >log`),
    ])
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'a\nb' })
    await running.result
    expect(JSON.parse(lines(sandbox, 'log')[0] ?? '')).toMatchObject({ id, status: 'answered', value: 'a\nb' })
  })

  it('starts the next turn of an agent that prints events with the answer', async () => {
    const sandbox = await createRunSandbox()
    const says = (text: string) =>
      JSON.stringify({ type: 'assistant', session_id: 's-42', message: { content: [{ type: 'text', text }] } })
    const block = '[USER_QUESTION]\ncategory: choice\nquestion: Which?\noptions: [left, right]\n[/USER_QUESTION]'
    writeFileSync(join(sandbox.cwd, 'events'), `${says('I look around.')}\n${says(block)}\n`)
    const text = `printf '%s\\n' "$@" >>log; echo --- >>log\ncase "$*" in *--resume*) echo '${says('Done.')}';; *) cat events;; esac`
    const running = sandbox.start(
      ['run', '--format', 'claude', '--', script(sandbox, text, 'claude')[1] ?? '', '-p', 'Go'].map(word => word),
    )
    const request = await sandbox.pending()
    // The agent is not stopped: its turn ends, and the run waits for the answer.
    await sandbox.run(['answer', request.id, 'right'])
    const { code, stdout } = await running.result
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${says('I look around.')}\n${says(block)}\n${says('Done.')}\n`,
    })
    const [, resumed = ''] = readFileSync(join(sandbox.cwd, 'log'), 'utf8').split('---\n')
    expect(resumed.trim().split('\n')).toEqual([
      '-p',
      '--resume',
      's-42',
      '--output-format',
      'stream-json',
      '--verbose',
      '--',
      'right',
    ])
    expect(await sandbox.hub.get(request.id)).toMatchObject({ deliveredAt: expect.any(String) })
    expect((await sandbox.hub.runs.list())[0]).toMatchObject({ status: 'completed', session: 's-42' })
  })

  it("asks the person at the terminal, also after the agent's turn has ended", async () => {
    const sandbox = await createRunSandbox()
    const says = (text: string) =>
      JSON.stringify({ type: 'assistant', session_id: 's-1', message: { content: [{ type: 'text', text }] } })
    const block = '[USER_QUESTION]\ncategory: choice\nquestion: Which?\noptions: [left, right]\n[/USER_QUESTION]'
    writeFileSync(join(sandbox.cwd, 'events'), `${says(block)}\n`)
    const text = `case "$*" in *--resume*) echo "$*" >log;; *) cat events; touch over;; esac`
    const [, agent = ''] = script(sandbox, text, 'claude')
    const screen = terminal(sandbox, ['run', '--format', 'claude', '--', agent, '-p', 'Go'])
    await until(() => existsSync(join(sandbox.cwd, 'over')), 'the end of the turn')
    const run = await until(async () => (await sandbox.hub.runs.list())[0], 'the run')
    await until(() => processesOf(run.id).length === 0, 'the end of the agent')
    await screen.shows('leave open')
    screen.press('2')
    await screen.shows('❯ 2. right')
    screen.press('Enter')
    expect((await screen.end()).code).toBe(0)
    expect(lines(sandbox, 'log')[0]).toMatch(/--resume s-1 .* right$/)
  })

  it('exits 69 with --no-human fail when the agent asks', async () => {
    const sandbox = await createRunSandbox()
    const { code } = await sandbox.run([
      'run',
      '--no-human',
      'fail',
      '--',
      ...script(sandbox, `${ask('Go?')}\nsleep 600`),
    ])
    expect(code).toBe(69)
    expect((await sandbox.hub.list({ status: 'all' })).requests[0]?.status).toBe('cancelled')
  })

  it('ends a run whose agent reports a fatal error', async () => {
    const sandbox = await createRunSandbox()
    const text = String.raw`printf '[ERROR]\ntype: fatal\nmessage: out of luck\n[/ERROR]\n'; sleep 600`
    const { code, stderr } = await sandbox.run(['run', '--', ...script(sandbox, text)])
    expect(code).not.toBe(0)
    expect(stderr).toContain('out of luck')
    expect((await sandbox.hub.runs.list())[0]?.status).toBe('failed')
    expect((await sandbox.hub.events()).some(({ type }) => type === 'run.error')).toBe(true)
  })

  it("keeps the agent's stdin open when its own ends, unless --stdin is inherit", async () => {
    const sandbox = await createRunSandbox()
    const text = `${ask('Go?')}\nread -r x; echo "$x" >log`
    const open = sandbox.start(['run', '--', ...script(sandbox, text)], { input: '' })
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'later' })
    expect((await open.result).code).toBe(0)
    expect(lines(sandbox, 'log')).toEqual(['later'])
    const { code, stdout } = await sandbox.run(['run', '--stdin', 'inherit', '--', 'cat'], { input: 'typed\n' })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'typed\n' })
  })
})
