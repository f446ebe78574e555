import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { terminal } from './tmux.ts'

const sizes = [
  { columns: 40, rows: 20 },
  { columns: 100, rows: 40 },
]

/** Opens the only request of an inbox on a real terminal. */
async function openRequest(sandbox: Sandbox, size: (typeof sizes)[number]) {
  const inbox = terminal(sandbox, ['inbox'], {}, size)
  await inbox.shows('q quit')
  inbox.press('Enter')
  await inbox.shows('Enter choose')
  return inbox
}

describe.each(sizes)('a request opened from the inbox at $columns×$rows', size => {
  it('keeps the question on the screen while it is scrolled, and counts lines as lines', async () => {
    const sandbox = await createSandbox()
    const options = Array.from({ length: 9 }, (_, i) => ({ label: `plan-${i}`, description: 'word '.repeat(120) }))
    const context = Array.from({ length: 60 }, (_, i) => `- fact ${i}`).join('\n')
    await sandbox.ask({ context, questions: [{ question: 'Which plan?', options }] })
    const { shows, press, screen } = await openRequest(sandbox, size)
    await shows(/↓ \d+ more lines \(PgDn\)/)
    for (const key of ['PgDn', 'PgDn', 'PgUp', 'PgUp', 'PgUp', 'PgUp', 'End', 'PgDn']) {
      press(key)
      await shows('Which plan?')
    }
    expect(screen()).toMatch(/^↑ \d+ .*· Which plan\?/)
  })

  it('says that there is no such option, and what Esc does while the options are filtered', async () => {
    const sandbox = await createSandbox()
    const options = ['PostgreSQL', 'SQLite']
    await sandbox.ask({ questions: [{ question: 'Which database?', options }] })
    const { shows, press, write, screen } = await openRequest(sandbox, size)
    press('7')
    await shows('There is no option 7.')
    expect(screen()).toContain('1. PostgreSQL')
    expect(screen()).not.toContain('Filter:')
    write('lite')
    await shows('Filter: lite  1 of 2')
    await shows('Esc show all')
    press('Escape')
    await shows('1. PostgreSQL')
    await shows('Esc back')
  })
})
