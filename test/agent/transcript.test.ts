import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../cli/sandbox.ts'
import { type TerminalOptions, terminal } from '../cli/tmux.ts'
import { type Script, startModelServer } from './model-server.ts'

const args = ['agent', '--model', 'anthropic/scripted']

/** The command in a real terminal, with a scripted model. */
async function createModelSandbox(script: Script) {
  const sandbox = await createSandbox()
  const server = await startModelServer(script)
  sandbox.atEnd(() => server.close())
  const open = (more: string[] = [], size: TerminalOptions = {}) =>
    terminal(sandbox, [...args, ...more], server.env, size)
  return { ...sandbox, server, open }
}

const call = (name: string, input: unknown) => ({ calls: [{ id: `toolu_23609${name}`, name, input }] })

describe('the transcript of the agent', () => {
  it.each([
    ['rich, 100×40', [], {}],
    ['rich, 40×20', [], { columns: 40, rows: 20 }],
    ['plain, 40×20', ['--plain'], { columns: 40, rows: 20 }],
  ])('names the tool of a call that failed before it ran: %s', async (_, more, size) => {
    const { open } = await createModelSandbox((_, count) =>
      count === 1 ? call('Read', {}) : count === 2 ? call('Teleport', { to: 'x' }) : { text: 'All is well.' },
    )
    const screen = open(more, size)
    await screen.shows('tokens in')
    screen.type('go')
    await screen.shows('All is well.')
    expect(screen.screen()).toMatch(/(✗|Failed:) Read\n[\s\S]*(✗|Failed:) Teleport\n/)
    expect(screen.screen()).not.toContain('toolu_')
  })

  it('names a command that a kill cut off, and shows no empty last reply', async () => {
    const { hub, open } = await createModelSandbox((_, count) =>
      count === 1 ? call('Bash', { command: 'echo begun; sleep 60' }) : { text: 'All is well.' },
    )
    const screen = open()
    await screen.shows('tokens in')
    screen.type('go')
    await screen.shows('begun')
    const [run] = await hub.runs.list()
    process.kill(run?.pid ?? 0, 'SIGKILL')
    await screen.end()
    const again = open(['--continue'])
    await again.shows('All is well.')
    expect(again.screen()).toContain('✗ Bash echo begun; sleep 60')
    expect(again.screen()).not.toContain('toolu_')
    expect(again.screen()).not.toContain('last reply')
  })

  it('has the whole of a long output in /show', async () => {
    const { cwd, open } = await createModelSandbox((_, count) =>
      count === 1 ? call('Read', { path: 'big.log', limit: 10_000 }) : { text: 'All is well.' },
    )
    const lines = [...Array(400).keys()].map(i => `entry ${i} of a large log file ${'.'.repeat(40)}`)
    writeFileSync(join(cwd, 'big.log'), `${lines.join('\n')}\n`)
    const screen = open(['--plain'], { rows: 500 })
    await screen.shows('tokens in')
    screen.type('go')
    await screen.shows('All is well.')
    await screen.shows('397 more lines (/show)')
    await screen.shows('200 tokens in')
    screen.type('/show')
    await screen.shows('entry 399 of')
    expect(screen.screen()).toContain('entry 200 of a large log file')
    expect(screen.screen()).not.toContain('truncated')
  })
})
