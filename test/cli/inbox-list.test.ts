import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

const sizes = [
  { columns: 40, rows: 20 },
  { columns: 100, rows: 40 },
]
const question = (text: string, options: string[] = ['yes', 'no']) => ({
  questions: [{ question: text, options }],
  required: false,
})

describe.each(sizes)('the list of the inbox at $columns×$rows', size => {
  it('marks new requests, says where they are, and keeps the selection', async () => {
    const sandbox = await createSandbox()
    for (let i = 0; i < 30; i++) await sandbox.ask(question(`Old ${i}?`))
    const { shows, press, screen } = await openInbox(sandbox, size, '30 waiting')
    expect(screen()).toMatch(/── 1–\d+ of 30 · ↓ \d+ more /)
    for (const name of ['one', 'two', 'three']) await sandbox.ask(question(`New ${name}?`))
    await shows('33 waiting · 3 new')
    await shows(/── 1–\d+ of 33 · ↓ 3 new /)
    expect(screen()).toMatch(/^❯ .*Old 0\?/m)
    press('n')
    await shows(/❯ .*New one\?.*\n •.*New two\?.*\n/)
    await shows('33 waiting · 2 new')
  })

  it('answers with a number, and says if there is no such option', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(question('Ship it?'))
    const { shows, press, screen } = await openInbox(sandbox, size, '1 waiting')
    await shows('1. yes')
    press('7')
    await shows('There is no option 7.')
    press('2')
    await shows('Answer “no”? Ship it?')
    press('Escape')
    // Read together with the next key, Escape would be Alt.
    await until(() => !screen().includes('Answer “no”'), 'the question to be withdrawn')
    press('1')
    await shows('Answer “yes”? Ship it?')
    press('Enter')
    await shows('Answered by person')
    expect((await sandbox.hub.get(id)).outcome).toMatchObject({
      status: 'answered',
      channel: 'terminal',
      answers: [{ selected: ['yes'] }],
    })
  })

  it('answers several that ask the same, and never several dangerous ones', async () => {
    const sandbox = await createSandbox()
    const asked = [1, 2, 3].map(i => sandbox.ask(question(`Fix file${i}.ts?`)))
    const ids = (await Promise.all(asked)).map(({ id }) => id)
    const action = { command: 'dropdb shop', cwd: '/srv', digest: 'd', severity: 'high' as const }
    const danger = await sandbox.ask({ kind: 'approval', action })
    const { shows, press, hides } = await openInbox(sandbox, size, '4 waiting')
    press('Space', 'Space')
    await shows('2 selected')
    press('d')
    await shows('Dangerous approvals are decided one by')
    press('Escape')
    await hides('2 selected')
    press('a', '2')
    await shows('Answer these 3 requests with “no”?')
    await shows(/· shell: Fix file1\.ts\?\n· shell: Fix file2\.ts\?\n· shell: Fix file3\.ts\?\n/)
    press('Enter')
    await shows('3 answered')
    await shows('1 waiting')
    for (const id of ids) expect((await sandbox.hub.get(id)).outcome).toMatchObject({ answers: [{ selected: ['no'] }] })
    expect((await sandbox.hub.get(danger.id)).status).toBe('pending')
  })

  it('declines and snoozes several together', async () => {
    const sandbox = await createSandbox()
    const ids = (await Promise.all([1, 2, 3, 4].map(i => sandbox.ask(question(`Which ${i}?`))))).map(({ id }) => id)
    const { shows, press, write } = await openInbox(sandbox, size, '4 waiting')
    press('Space', 'Space', 'd')
    await shows('Why do you decline these 2 requests?')
    write('not today')
    press('Enter')
    await shows('2 declined')
    press('Space', 'Space', 'z')
    await shows('Snooze these 2 requests?')
    press('1')
    await shows('2 snoozed')
    await shows('nothing is waiting · 2 snoozed')
    const outcomes = await Promise.all(ids.map(async id => (await sandbox.hub.get(id)).outcome))
    expect(outcomes.filter(outcome => outcome?.status === 'declined')).toHaveLength(2)
  })

  it('narrows the list to an agent, says what Esc does, and finds nothing by a hidden id', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ ...question('Ship it?'), agent: { name: 'codex' } })
    await sandbox.ask({ ...question('Which one?'), agent: { name: 'gemini' } })
    const { shows, press, write, hides, resize } = await openInbox(sandbox, size, '2 waiting')
    press('f')
    await shows(/❯ everything {2}2\n {2}project/)
    resize(40, 20)
    await shows(/^Enter show only this · Esc back$/m)
    resize(size.columns, size.rows)
    press('j', 'j')
    await shows(/❯ agent {4}\w+ {2}1/)
    press('Enter')
    await shows('2 waiting, 1 shown')
    await shows(/Show only: agent:(codex|gemini)/)
    await shows('Esc show everything')
    press('Escape')
    await hides('Show only')
    press('/')
    write(id.slice(4, 16))
    await shows('Nothing matches')
    await shows('Esc show everything')
  })

  it('writes a reason in an editor of your own', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(question('Ship it?'))
    const editor = join(sandbox.cwd, 'editor')
    writeFileSync(editor, '#!/bin/sh\nprintf "first\nsecond\n" >>"$1"\n', { mode: 0o755 })
    const { shows, press, write } = await openInbox(sandbox, size, '1 waiting', { VISUAL: editor })
    press('d')
    await shows('Why do you decline')
    write('because ')
    press('C-g')
    await shows(/because first\n.*second/)
    press('Enter')
    await shows('Declined by person')
    expect((await sandbox.hub.get(id)).outcome).toMatchObject({ reason: 'because first\nsecond' })
  })

  it('shows the end of each id where there is room, which commands take', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(question('Ship it?'))
    const { shows } = await openInbox(sandbox, size, '1 waiting')
    const isWide = size.columns >= 100
    await shows(isWide ? new RegExp(`❯.*Ship it\\? +${id.slice(-5)}\\n`) : /❯.*Ship it\?\n/)
    expect((await sandbox.run(['answer', id.slice(-5), 'no'])).code).toBe(0)
    await shows('Answered by person')
  })

  it('shows its help to the end', async () => {
    const sandbox = await createSandbox()
    const { shows, press } = await openInbox(sandbox, size, 'nothing is waiting')
    press('?')
    await shows(/n +move to the next new/)
    press('PgDn', 'PgDn')
    await shows(/Space +select several/)
    press('PgDn', 'PgDn')
    await shows(/# +a finished phase to review/)
    press('Escape')
    await shows('q quit')
  })

  it('leaves nothing of the old frame behind when the size changes', async () => {
    const sandbox = await createSandbox()
    for (let i = 0; i < 30; i++) await sandbox.ask(question(`Old ${i}?`))
    const { shows, resize, screen } = await openInbox(sandbox, size, '30 waiting')
    const before = withoutAges(screen())
    for (const [columns, rows] of [
      [60, 12],
      [120, 50],
      [24, 9],
    ] as const) {
      resize(columns, rows)
      await shows(new RegExp(`^(?=.*waiting)[^\\n]{1,${columns}}\\n`))
    }
    resize(size.columns, size.rows)
    await shows(/── 1–\d+ of 30/)
    await shows('q quit')
    expect(withoutAges(screen())).toBe(before)
  })
})

async function openInbox(sandbox: Sandbox, size: (typeof sizes)[number], first: string, env = {}) {
  const inbox = terminal(sandbox, ['inbox', '--quiet'], env, size)
  await inbox.shows(first)
  // The key hints appear once it takes keys.
  await inbox.shows('q quit')
  const hides = (text: string) => inbox.shows(new RegExp(`^(?![\\s\\S]*${text})`))
  return { ...inbox, hides }
}

function withoutAges(screen: string): string {
  return screen.replaceAll(/\b\d+[sm]\b/g, 'age').replaceAll(/ +/g, ' ')
}
