import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'
import { dumbTerminal, terminal } from './tmux.ts'

const ready = 'leave open'
const layouts = {
  questions: [
    {
      question: 'Which layout?',
      header: 'Layout',
      category: 'choice' as const,
      allowOther: true,
      options: [
        { label: 'List', description: 'one column', preview: '```ts\nconst list = 1\n```' },
        { label: 'Grid', description: 'two columns', preview: 'a  b\nc  d' },
      ],
    },
    { question: 'What is it called?', header: 'Name' },
  ],
}

describe('a prompt', () => {
  it('shows previews beside the options of a wide terminal, as Markdown', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(layouts)
    const { shows, press, screen, resize } = terminal(sandbox, ['answer', id], {}, { columns: 120 })
    await shows(ready)
    press('1')
    await shows(/❯ 1\. List +│ ts\n +one column +│ {3}const list = 1\n/)
    expect(screen()).not.toContain('```')
    press('2')
    await shows(/1\. List +│ a {2}b\n +one column +│ c {2}d\n/)
    resize(80, 40)
    await shows(/0\. Other…\n\n│ a {2}b\n│ c {2}d\n/)
  })

  it('shows them below each option in plain lines', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(layouts)
    const { shows, screen } = dumbTerminal(sandbox, ['answer', id])
    await shows(/1\. List\n│ +one column\n│ +\| ts\n│ +\| {3}const list = 1/)
    expect(screen()).not.toContain('```')
  })

  it('shows tabs over a batch, the category, and the key for a custom answer', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(layouts)
    const { shows, press, write, end } = terminal(sandbox, ['answer', id], {}, { columns: 40, rows: 20 })
    await shows(/○ Layout {2}○ Name {2}→ Send\n\n1 of 2 {2}Layout · choice\nWhich layout\?/)
    await shows(ready)
    press('0', 'Enter')
    await shows('Your own answer:')
    write('both')
    press('Enter')
    await shows(/✔ Layout {2}○ Name {2}→ Send\n\n2 of 2 {2}Name/)
    write('beacon')
    press('Enter')
    await shows(/✔ Layout {2}✔ Name {2}→ Send\n\nYour answers/)
    press('Enter')
    expect((await end()).code).toBe(0)
  })

  it('completes the path of a file that is needed', async () => {
    const sandbox = await createSandbox()
    mkdirSync(join(sandbox.cwd, 'schemas'))
    for (const name of ['new.sql', 'next.sql']) writeFileSync(join(sandbox.cwd, 'schemas', name), '')
    const need = ['need', 'file', 'SCHEMA', '--description', 'the schema to migrate to']
    const { shows, press, write, end } = terminal(sandbox, need)
    await shows('Tab complete')
    write('sch')
    press('Tab')
    await shows('▏ schemas/')
    press('Tab')
    await shows('▏ schemas/ne')
    press('Tab')
    await shows('new.sql  next.sql')
    write('x')
    press('Tab')
    await shows('▏ schemas/next.sql')
    press('Enter')
    const { code, stdout } = await end()
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/schemas\/next\.sql\n$/) })
  })
})
