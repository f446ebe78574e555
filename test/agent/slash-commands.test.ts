import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from '../cli/sandbox.ts'
import { type TerminalOptions, terminal } from '../cli/tmux.ts'
import { git } from '../supervisor/repositories.ts'
import { type Script, startModelServer } from './model-server.ts'
import type { Seen } from './wires/wire.ts'

/** The command in a real terminal, with a scripted model. */
async function createModelSandbox(script: Script) {
  const sandbox = await createSandbox()
  const server = await startModelServer(script)
  sandbox.atEnd(() => server.close())
  Object.assign(sandbox.env, server.env, { BECKON_MODEL: 'anthropic/scripted' })
  const open = (args: string[] = [], size: TerminalOptions = {}) => terminal(sandbox, ['agent', ...args], {}, size)
  return { ...sandbox, server, open }
}

const isSummary = ({ system }: Seen) => system.includes('You are summarising')

const writes: Script = (seen, count) => {
  const last = seen.items.at(-1)
  if (isSummary(seen)) return { text: '' }
  if (last?.type !== 'user') return { text: `reply number ${count}` }
  return { calls: [{ name: 'Write', input: { path: `${last.text.split(' ').at(-1)}.txt`, content: 'x\n' } }] }
}

describe('in a conversation', () => {
  it('/model changes the model for the next reply, and --continue remembers it', async () => {
    const { server, open } = await createModelSandbox((_, count) => ({ text: `reply number ${count}` }))
    const screen = open(['say something'])
    await screen.shows('> say something')
    await screen.shows('reply number 1')
    await screen.shows('100 tokens in')
    screen.type('/model')
    await screen.shows('The model is anthropic/scripted.')
    screen.type('/model gpt')
    await screen.shows('/model must be PROVIDER/NAME')
    screen.type('/model compatible/scripted')
    await screen.shows('The next reply comes from compatible/scripted.')
    screen.type('more')
    await screen.shows('reply number 2')
    await screen.shows('200 tokens in')
    screen.press('C-d')
    await screen.end()
    const again = open(['--continue', 'and more'])
    await again.shows('compatible/scripted in')
    await again.shows('reply number 3')
    expect(server.log.map(({ wire }) => wire)).toEqual(['anthropic', 'chat', 'chat'])
  })

  it('/context says what fills it, and /compact keeps what the person asks for', async () => {
    const { server, open } = await createModelSandbox(writes)
    const screen = open()
    await screen.shows('tokens in')
    for (const [i, text] of ['write one', 'write two', 'write three'].entries()) {
      screen.type(text)
      await screen.shows(`reply number ${2 * (i + 1)}`)
      await screen.shows(`${200 * (i + 1)} tokens in`)
    }
    screen.type('/context')
    await screen.shows(
      /system prompt +[\d,]+ +[\d.]+ %\s+tools +[\d,]+ [\s\S]*messages +[\d,]+ [\s\S]*tool results +[\d,]+ /,
    )
    screen.type('/compact the names of `frobnicate` and its port')
    await screen.shows('Summarised the earlier conversation')
    screen.type('write four')
    await screen.shows('reply number 9')
    const request = server.log.find(isSummary)
    expect(JSON.stringify(request?.items)).toContain('Keep in particular: the names of `frobnicate` and its port')
    const first = JSON.stringify(server.log.at(-1)?.items[0])
    expect(first).toContain('No summary could be written')
    expect(first).toContain('The person asked to keep in particular:\\nthe names of `frobnicate`')
    expect(first).toContain('Files that were changed:\\n- one.txt')
  })

  it.each([
    ['rich', [], 'Escape'],
    ['plain', ['--plain'], 'C-c'],
  ])('/compact can be stopped, and shows what it does only until it ends: %s', async (_, more, stopKey) => {
    let summaries = 0
    const { server, open } = await createModelSandbox((seen, count) => {
      if (!isSummary(seen)) return { text: `reply number ${count}` }
      summaries += 1
      return summaries === 1 ? { hang: true } : { text: 'a summary' }
    })
    const screen = open(more)
    await screen.shows('tokens in')
    for (const n of [1, 2, 3]) {
      screen.type(`message ${n}`)
      await screen.shows(`reply number ${n}`)
      await screen.shows(`${n}00 tokens in`)
    }
    screen.type('/compact')
    await until(() => summaries === 1, 'the first summary')
    screen.press(stopKey)
    await screen.shows('Stopped. The conversation is kept.')
    screen.type('/compact')
    await screen.shows('Summarised the earlier conversation')
    await screen.shows(/Summarised[\s\S]*\n> *(\n|$)/)
    expect(screen.screen()).not.toContain('to stop')
    screen.type('hello')
    await screen.shows('reply number 6')
    expect(screen.screen()).not.toContain('hellohello')
    expect(JSON.stringify(server.log.at(-1)?.items)).toContain('a summary')
  })

  it.each([
    ['rich', []],
    ['plain', ['--plain']],
  ])('/rewind picks a message, restores the files, and offers the message again: %s', async (how, more) => {
    const { cwd, server, open } = await createModelSandbox(writes)
    git(cwd, 'init', '-q')
    const screen = open(more, { columns: 60, rows: 30 })
    await screen.shows('tokens in')
    for (const [i, text] of ['write one', 'write two'].entries()) {
      screen.type(text)
      await screen.shows(`reply number ${2 * (i + 1)}`)
      await screen.shows(`${200 * (i + 1)} tokens in`)
    }
    screen.type('/rewind')
    await screen.shows('Go back to before which message?')
    if (how === 'rich') {
      await screen.shows(/❯ \d\d:\d\d write two/)
      screen.press('Enter')
    } else screen.type('1')
    await screen.shows('Rewound. 1 file was restored.')
    expect(existsSync(join(cwd, 'one.txt'))).toBe(true)
    expect(existsSync(join(cwd, 'two.txt'))).toBe(false)
    await screen.shows(how === 'rich' ? /> write two\s+context/ : /chk_\w+\s+\(context.*\s+> write two/)
    screen.press('C-u')
    screen.type('write three')
    await screen.shows('reply number 6')
    expect(server.log.at(-1)?.items.filter(({ type }) => type === 'user')).toEqual([
      { type: 'user', text: 'write one' },
      { type: 'user', text: 'write three' },
    ])
    await screen.shows('600 tokens in')
    screen.type('/rewind undo')
    await screen.shows(/Rewound\. 2 files were restored\./)
    expect(existsSync(join(cwd, 'two.txt'))).toBe(true)
  })
})

describe('/help', () => {
  const keysIn = (text: string) =>
    text.match(/\b(Alt-Enter|Ctrl-[A-Z]|Esc|Enter|Up|Down)\b|(?<=^|`| )[/@!](?=`| {2})/gm)

  it('names the keys of the documentation', async () => {
    const { open } = await createModelSandbox(() => ({ text: '' }))
    const screen = open([], { rows: 60 })
    await screen.shows('tokens in')
    screen.type('/help')
    await screen.shows('run a command of your own')
    const [, table = ''] = /list the commands and the keys\n[\s\S]*?\n\n([\s\S]*?)\n─/.exec(screen.screen()) ?? []
    const first = (line: string) => line.trim().split(/ {2,}| \| /)[0]
    const documented = readFileSync(new URL('../../docs/agent.md', import.meta.url), 'utf8')
    const [, rows = ''] = /\n\| key \|.*\n.*\n((?:\|.*\n)+)/.exec(documented) ?? []
    const ofDocs = rows
      .trimEnd()
      .split('\n')
      .map(row => first(row.slice(2))?.replaceAll('`', ''))
    expect(table.split('\n').map(first)).toEqual(ofDocs)
  })

  it('names no key in plain lines that they do not have', async () => {
    const { open } = await createModelSandbox(() => ({ text: '' }))
    const screen = open(['--plain'])
    await screen.shows('tokens in')
    screen.type('/help')
    await screen.shows('/exit')
    expect(keysIn(screen.screen())).toEqual(['Ctrl-D', 'Ctrl-D'])
  })
})

describe('a message that begins with a path', () => {
  it('goes to the model, and an unknown command does not', async () => {
    const { server, open } = await createModelSandbox((_, count) => ({ text: `reply number ${count}` }))
    const screen = open()
    await screen.shows('tokens in')
    screen.type('/nonsense')
    await screen.shows('/nonsense is not a command')
    screen.type('/var/log/x is full')
    await screen.shows('reply number 1')
    expect(server.log.map(({ items }) => items.at(-1))).toEqual([{ type: 'user', text: '/var/log/x is full' }])
  })
})

describe('beckon agent --resume', () => {
  it('lists the conversations of every directory, narrows the list, and shows the last screen', async () => {
    const sandbox = await createModelSandbox((_, count) =>
      count % 2 === 1
        ? { calls: [{ name: 'Bash', input: { command: 'echo hello' } }] }
        : { text: `reply number ${count}` },
    )
    const other = join(sandbox.cwd, 'other')
    mkdirSync(other)
    await sandbox.run(['agent', 'run', 'paint the shed'])
    const long = `water ${'the flowers and '.repeat(5)}the cactus`
    await sandbox.run(['agent', 'run', long])
    await sandbox.run(['agent', 'run', 'mow the lawn'], { cwd: other })
    const listed = await sandbox.run(['agent', '--resume'])
    expect(listed).toMatchObject({ code: 0, stderr: 'Resume one in a terminal with: beckon agent --resume ID\n' })
    expect(listed.stdout).toMatch(/mow the lawn .*\/other\n.*water the flowers .*\n.*paint the shed /)
    const screen = sandbox.open(['--resume'])
    await screen.shows(/❯ mow the lawn +\d+s {2}\S+other\n {2}water .*\n {2}paint the shed +\d+s {2}\//)
    screen.write('paint')
    await screen.shows('❯ paint the shed')
    expect(screen.screen()).not.toContain('mow')
    screen.press('C-u')
    await screen.shows('❯ mow the lawn')
    screen.write('cactus')
    await screen.shows('❯ water the flowers')
    screen.press('C-u')
    await screen.shows('❯ mow the lawn')
    screen.press('Enter')
    await screen.shows('reply number 6')
    await screen.shows(/> mow the lawn\s+● Bash echo hello\s+hello\s+reply number 6/)
    await screen.shows('other. /help')
    const id = listed.stdout.split(/\s/)[0] ?? ''
    screen.press('C-d')
    await screen.end()
    const left = sandbox.open(['--resume'])
    await left.shows('Resume which conversation?')
    left.press('Escape')
    expect(await left.end()).toMatchObject({ code: 0 })
    await left.shows('Nothing was resumed.')
    expect(await sandbox.run(['agent', '--resume', 'nope'])).toMatchObject({ code: 4 })
    expect(id).toMatch(/^\d{8}T\d{6}-[0-9a-f]{8}$/)
  })
})
