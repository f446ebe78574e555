import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../cli/sandbox.ts'
import { agentArgs, bash, createAgentScreen, saidIn, waitForFile } from './agent-screen.ts'
import { resultsIn } from './model-server.ts'

const sizes = [
  { columns: 40, rows: 20 },
  { columns: 100, rows: 40 },
]

describe('the box while the agent works', () => {
  it.each(sizes)('shows what is typed, queues it, and sends it between two calls at $columns×$rows', async size => {
    const { server, open, release } = await createAgentScreen((_, count) =>
      count === 1 ? waitForFile : { text: 'Both are done.' },
    )
    const screen = open(size)
    await screen.shows(/context \d+ %[\s\S]*cost unknown$/m)
    screen.type('first')
    await screen.shows('started')
    await screen.shows(/Bash · \d+ s · (\d+ tokens out · )?Esc to stop/)
    screen.write('문서도 고쳐줘')
    await screen.shows('> 문서도 고쳐줘')
    screen.press('Enter')
    await screen.shows('queued: 문서도 고쳐줘')
    screen.write('half')
    await screen.shows('> half')
    expect(server.log).toHaveLength(1)
    release()
    await screen.shows('Both are done.')
    await screen.shows('> half')
    expect(server.log).toHaveLength(2)
    expect(resultsIn(server.log[1] as never)[0]).toContain('finished')
    expect(saidIn(server.log[1])).toEqual(['first', '문서도 고쳐줘'])
    expect(screen.screen()).not.toContain('queued')
    expect(server.violations).toEqual([])
  })

  it('runs nothing of a collapsed paste, whatever it begins with', async () => {
    const { cwd, server, open, release } = await createAgentScreen((_, count) =>
      count === 2 ? waitForFile : { text: `reply number ${count}` },
    )
    const screen = open()
    await screen.shows('tokens in')
    const pasted = (first: string) => `${first}\n${'touch ran\n'.repeat(12)}`
    screen.paste(pasted('! true'), { marked: true })
    await screen.shows('> [13 lines pasted]')
    screen.press('Enter')
    await screen.shows('reply number 1')
    screen.type('work')
    await screen.shows('started')
    screen.paste(pasted('/exit'), { marked: true })
    await screen.shows('> [13 lines pasted]')
    screen.press('Enter')
    await screen.shows('queued: [13 lines pasted]')
    release()
    await screen.shows('reply number 3')
    expect(saidIn(server.log.at(-1))).toEqual([pasted('! true'), 'work', pasted('/exit')])
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })

  it('takes a queued message back with Up or Esc, and sends the others when the turn ends', async () => {
    const released = Promise.withResolvers<void>()
    const { server, open } = await createAgentScreen(async (_, count) => {
      await released.promise
      return { text: `reply number ${count}` }
    })
    const screen = open()
    await screen.shows('tokens in')
    screen.type('first')
    await screen.shows('thinking')
    for (const text of ['one', 'two', 'three']) {
      screen.type(text)
      await screen.shows(`queued: ${text}`)
    }
    screen.press('Up')
    await screen.shows('> three')
    screen.press('C-u', 'Escape')
    await screen.shows('> two')
    screen.write(' and a half')
    screen.press('Enter')
    await screen.shows('queued: two and a half')
    released.resolve()
    await screen.shows('reply number 2')
    expect(saidIn(server.log[1])).toEqual(['first', 'one', 'two and a half'])
  })

  it('stops with Esc, sends nothing by itself afterwards, and keeps queue and text through a kill', async () => {
    const { server, hub, home, open } = await createAgentScreen((_, count) =>
      count === 1 ? bash('echo started; sleep 60') : { text: `reply number ${count}` },
    )
    const screen = open()
    await screen.shows('tokens in')
    screen.type('wait')
    await screen.shows('started')
    screen.type('later')
    await screen.shows('queued: later')
    screen.write('a draft')
    await screen.shows('> a draft')
    screen.press('Escape')
    await screen.shows('Stopped. The conversation is kept.')
    await screen.shows('queued: later')
    expect(server.log).toHaveLength(1)
    const draftFile = () =>
      readdirSync(home, { recursive: true, encoding: 'utf8' }).find(name => name.endsWith('draft.json')) ?? ''
    await until(() => readFileSync(join(home, draftFile()), 'utf8').includes('a draft'), 'the draft on the disk')
    const [run] = await hub.runs.list()
    process.kill(run?.pid ?? 0, 'SIGKILL')
    await screen.end()
    const again = open({}, [...agentArgs, '--continue'])
    await again.shows('queued: later')
    await again.shows('> a draft')
    await again.shows('/continue goes on where it stopped.')
    await again.shows('tokens in')
    expect(server.log).toHaveLength(1)
    again.press('Enter')
    await again.shows('reply number 2')
    expect(saidIn(server.log[1])).toEqual(['wait', 'later', 'a draft'])
  })

  it('suspends with Ctrl-Z while the person writes, and comes back with the text', async () => {
    const { server, open } = await createAgentScreen((_, count) => ({ text: `reply number ${count}` }))
    const screen = open()
    await screen.shows('tokens in')
    screen.write('a message')
    screen.press('C-z')
    // The shell of the test continues a stopped job at once.
    await screen.shows(/Stopped[\s\S]*> a message\n.*tokens in/)
    screen.press('Enter')
    await screen.shows('reply number 1')
    expect(saidIn(server.log[0])).toEqual(['a message'])
  })

  it('suspends with Ctrl-Z while it works, and comes back with its work and the text', async () => {
    const { server, open, release } = await createAgentScreen((_, count) =>
      count === 1 ? waitForFile : { text: `reply number ${count}` },
    )
    const screen = open({ columns: 40, rows: 20 })
    await screen.shows('context')
    screen.type('work')
    await screen.shows('started')
    screen.write('more')
    screen.press('C-z')
    await screen.shows(/Stopped[\s\S]*Esc to stop[\s\S]*> more/)
    release()
    await screen.shows('reply number 2')
    await screen.shows('> more')
    expect(server.log).toHaveLength(2)
  })

  it('does not take an arrow key in two pieces for Esc', async () => {
    const { open } = await createAgentScreen((_, count) =>
      count === 1 ? bash('echo started; sleep 60') : { text: 'Fine.' },
    )
    const screen = open()
    await screen.shows('tokens in')
    screen.type('wait')
    await screen.shows('started')
    screen.write('ac')
    screen.tmux('send-keys', '-H', '1b', '5b', '44', '62')
    await screen.shows('> abc')
    expect(screen.screen()).not.toContain('Stopped')
    screen.press('Escape')
    await screen.shows('Stopped')
    await screen.shows('> abc')
  })

  it('gives way to a question and comes back with what was typed', async () => {
    const { server, open, release } = await createAgentScreen((_, count) => {
      if (count === 1) return waitForFile
      if (count === 2)
        return { calls: [{ name: 'AskUserQuestion', input: { question: 'Which?', options: ['left', 'right'] } }] }
      return { text: 'Fine.' }
    })
    const screen = open({ columns: 60, rows: 24 })
    await screen.shows('tokens in')
    screen.type('go')
    await screen.shows('started')
    screen.write('half a thought')
    await screen.shows('> half a thought')
    release()
    await screen.shows('Enter choose')
    expect(screen.screen()).not.toContain('> half a thought')
    screen.press('2')
    await screen.shows('❯ 2. right')
    screen.press('Enter')
    await screen.shows('Fine.')
    await screen.shows('> half a thought')
    expect(resultsIn(server.log[2] as never)[1]).toBe('User selected: right')
  })
})
