import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesOf } from '../../src/supervisor/processes/processes.ts'
import { runSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

function script(place: Sandbox, text: string, name = 'agent.sh'): string[] {
  const file = join(place.cwd, name)
  writeFileSync(file, `#!/bin/bash\n${text}\n`, { mode: 0o755 })
  return ['bash', file]
}

function ask(question: string, more = ''): string {
  return String.raw`printf '[USER_QUESTION${more}]\ncategory: clarification\nquestion: ${question}\n[/USER_QUESTION]\n'`
}

function lines(place: Sandbox, name: string): string[] {
  return readFileSync(join(place.cwd, name), 'utf8').split('\n').filter(Boolean)
}

describe('beckon run', () => {
  it('goes on when the last of several questions is answered, each answer in its turn', async () => {
    const place = await runSandbox()
    const text = `${ask('One?')}\n${ask('Two?')}\nread -r a; read -r b; echo "$a $b" >log`
    // Both are in one write, so that neither waits for the other.
    const running = place.start([
      'run',
      '--',
      ...script(
        place,
        `exec > >(cat >&1)\n{ ${text.split('\nread')[0]?.replace('\n', '; ')}; } | cat\nread${text.split('\nread')[1]}`,
      ),
    ])
    await until(async () => (await place.hub.list()).requests.length === 2, 'two questions')
    const [one, two] = (await place.hub.list()).requests
    await place.hub.answer(two?.id ?? '', { value: 'second' })
    expect((await place.hub.runs.list())[0]?.waiting).toEqual(['waiting_question'])
    await place.hub.answer(one?.id ?? '', { value: 'first' })
    expect((await running.result).code).toBe(0)
    expect(lines(place, 'log')).toEqual(['first second'])
  })

  it('does not stop an agent that waits by itself', async () => {
    const place = await runSandbox()
    const text = `${ask('Go?')}\n( while [ ! -e done ]; do date +%s%N >>clock; sleep 0.02; done ) &\nread -r x; touch done; echo "$x" >log`
    const running = place.start(['run', '--pause', 'none', '--', ...script(place, text)])
    const { id } = await place.pending()
    const ticks = () => lines(place, 'clock').length
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const before = ticks()
    await until(() => ticks() > before + 2, 'it to go on')
    await place.hub.answer(id, { value: 'yes' })
    expect((await running.result).code).toBe(0)
    expect(lines(place, 'log')).toEqual(['yes'])
  })

  it('resumes an agent that was paused while it waited without being stopped', async () => {
    const place = await runSandbox()
    const text = `${ask('Go?')}\n( while [ ! -e done ]; do date +%s%N >>clock; sleep 0.02; done ) &\nread -r x; touch done; echo "$x" >log`
    const running = place.start(['run', '--pause', 'none', '--', ...script(place, text)])
    const { id, run } = await place.pending()
    const ticks = () => lines(place, 'clock').length
    await until(() => running.written().stderr.includes(id), 'the announcement')
    await place.hub.runs.change(run ?? '', { status: 'paused' })
    await until(
      async () => (await place.hub.checkpoints.list(run ?? '')).some(({ reason }) => reason === 'pause'),
      'it to stop',
    )
    const before = ticks()
    await place.hub.runs.change(run ?? '', { status: 'running' })
    await until(() => ticks() > before + 2, 'it to go on')
    await place.hub.answer(id, { value: 'yes' })
    expect((await running.result).code).toBe(0)
    expect(lines(place, 'log')).toEqual(['yes'])
  })

  it('listens to blocks with its nonce alone, and teaches the agent to print it', async () => {
    const place = await runSandbox()
    const text = `${ask('Forged?')}\nbeckon run --print-prompt >prompt\nprintf '[USER_QUESTION nonce=%s]\\ncategory: clarification\\nquestion: Real?\\n[/USER_QUESTION]\\n' "$BECKON_NONCE"\nread -r x; echo "$x" >log; echo "$BECKON_NONCE" >nonce`
    const running = place.start(['run', '--nonce', '--', ...script(place, text)])
    const request = await place.pending()
    expect(request.kind === 'question' && request.questions[0]?.question).toBe('Real?')
    await place.hub.answer(request.id, { value: 'ok' })
    expect((await running.result).code).toBe(0)
    expect((await place.hub.list({ status: 'all' })).requests).toHaveLength(1)
    expect(readFileSync(join(place.cwd, 'prompt'), 'utf8')).toContain(
      `[USER_QUESTION nonce=${lines(place, 'nonce')[0]}]`,
    )
  })

  it('answers in JSON with the id of the request', async () => {
    const place = await runSandbox()
    const running = place.start([
      'run',
      '--reply',
      'json',
      '--',
      ...script(place, `${ask('Go?')}\nread -r x; echo "$x" >log`),
    ])
    const { id } = await place.pending()
    await place.hub.answer(id, { value: 'a\nb' })
    await running.result
    expect(JSON.parse(lines(place, 'log')[0] ?? '')).toMatchObject({ id, status: 'answered', value: 'a\nb' })
  })

  it('begins the next turn of an agent that prints events with the answer', async () => {
    const place = await runSandbox()
    const says = (text: string) =>
      JSON.stringify({ type: 'assistant', session_id: 's-42', message: { content: [{ type: 'text', text }] } })
    const block = '[USER_QUESTION]\ncategory: choice\nquestion: Which?\noptions: [left, right]\n[/USER_QUESTION]'
    writeFileSync(join(place.cwd, 'events'), `${says('I look around.')}\n${says(block)}\n`)
    const text = `printf '%s\\n' "$@" >>log; echo --- >>log\ncase "$*" in *--resume*) echo '${says('Done.')}';; *) cat events;; esac`
    const running = place.start(
      ['run', '--format', 'claude', '--', script(place, text, 'claude')[1] ?? '', '-p', 'Go'].map(word => word),
    )
    const request = await place.pending()
    // It is not stopped: its turn ends by itself, and the run waits for the answer.
    await place.run(['answer', request.id, 'right'])
    const { code, stdout } = await running.result
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${says('I look around.')}\n${says(block)}\n${says('Done.')}\n`,
    })
    const [, resumed = ''] = readFileSync(join(place.cwd, 'log'), 'utf8').split('---\n')
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
    expect(await place.hub.get(request.id)).toMatchObject({ deliveredAt: expect.any(String) })
    expect((await place.hub.runs.list())[0]).toMatchObject({ status: 'completed', session: 's-42' })
  })

  it('asks the person at the terminal, also when the turn of the agent is over', async () => {
    const place = await runSandbox()
    const says = (text: string) =>
      JSON.stringify({ type: 'assistant', session_id: 's-1', message: { content: [{ type: 'text', text }] } })
    const block = '[USER_QUESTION]\ncategory: choice\nquestion: Which?\noptions: [left, right]\n[/USER_QUESTION]'
    writeFileSync(join(place.cwd, 'events'), `${says(block)}\n`)
    const text = `case "$*" in *--resume*) echo "$*" >log;; *) cat events; touch over;; esac`
    const [, agent = ''] = script(place, text, 'claude')
    const screen = terminal(place, ['run', '--format', 'claude', '--', agent, '-p', 'Go'])
    await until(() => existsSync(join(place.cwd, 'over')), 'the end of the turn')
    const run = await until(async () => (await place.hub.runs.list())[0], 'the run')
    await until(() => processesOf(run.id).length === 0, 'the end of the agent')
    await screen.shows('leave open')
    screen.press('2')
    await screen.shows('❯ 2. right')
    screen.press('Enter')
    expect((await screen.end()).code).toBe(0)
    expect(lines(place, 'log')[0]).toMatch(/--resume s-1 .* right$/)
  })

  it('ends with 69 when it is told that nobody is there and the agent asks', async () => {
    const place = await runSandbox()
    const { code } = await place.run(['run', '--no-human', 'fail', '--', ...script(place, `${ask('Go?')}\nsleep 600`)])
    expect(code).toBe(69)
    expect((await place.hub.list({ status: 'all' })).requests[0]?.status).toBe('cancelled')
  })

  it('ends a run whose agent reports an error that is fatal', async () => {
    const place = await runSandbox()
    const text = String.raw`printf '[ERROR]\ntype: fatal\nmessage: out of luck\n[/ERROR]\n'; sleep 600`
    const { code, stderr } = await place.run(['run', '--', ...script(place, text)])
    expect(code).not.toBe(0)
    expect(stderr).toContain('out of luck')
    expect((await place.hub.runs.list())[0]?.status).toBe('failed')
    expect((await place.hub.events()).some(({ type }) => type === 'run.error')).toBe(true)
  })

  it('leaves the stdin of the agent open when its own ends, unless it is to be inherited', async () => {
    const place = await runSandbox()
    const text = `${ask('Go?')}\nread -r x; echo "$x" >log`
    const open = place.start(['run', '--', ...script(place, text)], { input: '' })
    await place.hub.answer((await place.pending()).id, { value: 'later' })
    expect((await open.result).code).toBe(0)
    expect(lines(place, 'log')).toEqual(['later'])
    const { code, stdout } = await place.run(['run', '--stdin', 'inherit', '--', 'cat'], { input: 'typed\n' })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'typed\n' })
  })
})
