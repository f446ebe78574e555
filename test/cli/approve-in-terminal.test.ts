import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { dumbTerminal, type TerminalOptions, terminal } from './tmux.ts'

const ready = 'Enter choose'
const sizes = [
  { columns: 40, rows: 20 },
  { columns: 100, rows: 40 },
]

async function askedToRun(command: string) {
  const sandbox = await createSandbox()
  const { id } = await sandbox.ask({ kind: 'approval', action: { command, cwd: sandbox.cwd } })
  return { sandbox, id, outcome: async () => (await sandbox.hub.get(id)).outcome }
}

const inFrames = (sandbox: Sandbox, id: string, size: TerminalOptions = {}) =>
  terminal(sandbox, ['answer', id], {}, size)

/** A narrow screen has the line in several rows. */
const inOneRow = (text: string) => text.trim().replaceAll(/\n +/g, ' ')

describe('an approval in a terminal', () => {
  it.each(sizes)('can be edited, once the guard has judged the other version, at $columns×$rows', async size => {
    const { sandbox, id, outcome } = await askedToRun('git push --force')
    const { shows, press, write, end, screen } = inFrames(sandbox, id, size)
    await shows(ready)
    expect(screen()).toMatch(
      /1\. yes\n {2}2\. no\n {2}3\. edit it, and approve your version…\n {2}4\. no, and tell it why…/,
    )
    press('3', 'Enter')
    await shows('▏ git push --force')
    press('Enter')
    await shows('Nothing is changed.')
    press('C-u')
    write('rm -rf /')
    press('Enter')
    await shows('The guard refuses this')
    press('C-u')
    write('git push --force --mirror')
    press('Enter')
    await shows(/Your version:\n {2}git push --force --mirror\nDanger: high/)
    press('Enter')
    await shows('Nothing was approved.')
    press('Escape')
    // Read together with the next key, Escape would be Alt.
    await shows('▏ git push --force --mirror')
    press('C-u')
    write('git push --force-with-lease')
    press('Enter')
    await shows('Press Enter to approve your version.')
    press('Enter')
    expect((await end()).code).toBe(0)
    expect(await outcome()).toMatchObject({ status: 'answered', edited: { command: 'git push --force-with-lease' } })
    expect(inOneRow(screen())).toBe('✔ Approved, edited: git push --force-with-lease')
  })

  it('shows the exact scope of always before it is taken', async () => {
    const { sandbox, id } = await askedToRun('git stash drop')
    const { shows, press, end } = inFrames(sandbox, id)
    await shows(/3\. yes, and always for exactly this\n +exactly this, in .*\n?.*for 30 days/)
    await shows(/4\. yes, and always for commands like this\n +everything that begins with "git stash drop", in/)
    await shows(ready)
    press('4', 'Enter')
    await shows('✔ Approved from now on: git stash drop — everything that begins with "git stash')
    expect((await end()).code).toBe(0)
    expect(await sandbox.hub.rules.list()).toMatchObject([{ scope: 'prefix', words: ['git', 'stash', 'drop'] }])
  })

  it.each(sizes)('can be declined with a reason, as a row of its own, at $columns×$rows', async size => {
    const { sandbox, id, outcome } = await askedToRun('git push --force')
    const { shows, press, write, end } = inFrames(sandbox, id, size)
    await shows(ready)
    press('4', 'Enter')
    await shows('Why do you decline')
    write('use a lease')
    press('Enter')
    expect((await end()).code).toBe(0)
    expect(await outcome()).toMatchObject({ status: 'declined', reason: 'use a lease' })
  })

  it.each(sizes)('offers the same in plain lines at $columns×$rows', async size => {
    const { sandbox, id, outcome } = await askedToRun('git push --force')
    const { shows, type, end, screen } = dumbTerminal(sandbox, ['answer', id], size)
    await shows('3. edit it, and approve your version')
    await shows('4. no, and tell it why')
    await shows('Enter number: ')
    type('3')
    await shows('Enter your version')
    type('git push --force-with-lease')
    await shows('Type yes to approve your version')
    type('yes')
    expect((await end()).code).toBe(0)
    expect(await outcome()).toMatchObject({ edited: { command: 'git push --force-with-lease' } })
    expect(inOneRow(screen()).split('\n').at(-1)).toBe('✔ Approved, edited: git push --force-with-lease')
  })
})
