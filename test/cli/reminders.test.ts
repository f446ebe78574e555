import { describe, expect, it } from 'vitest'
import type { AskInput } from '../../src/protocol/index.ts'
import { createSandbox, until } from './sandbox.ts'
import { dumbTerminal, terminal } from './tmux.ts'

const why = { questions: [{ question: 'Why?' }], timeout: 1_000, onTimeout: 'remind' } satisfies AskInput
const reminder = /Reminder · waiting for \d+s, overdue for \d+s/
// Neither counts down below one second.
const impossible = /[Dd]ue in (0 ?s|-)/

describe('a reminder reaches the open terminals', () => {
  it('shows it in the prompt beside what the person types, and keeps the text', async () => {
    const sandbox = await createSandbox()
    const ask = ['ask', 'Why?', '--timeout', '3s', '--on-timeout', 'remind']
    const { shows, write, press, end, screen } = terminal(sandbox, ask)
    await shows('Due in ')
    await shows('leave open')
    write('because of')
    await shows('because of')
    await shows(reminder)
    await shows('next reminder in ')
    write(' cost')
    await shows('▏ because of cost')
    expect(screen()).not.toMatch(impossible)
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: 'because of cost\n' })
  })

  it('shows it in a folded prompt', async () => {
    const sandbox = await createSandbox()
    const { shows, press, screen } = terminal(sandbox, ['ask', 'Why?', '--timeout', '2s', '--on-timeout', 'remind'])
    await shows('leave open')
    press('Escape')
    await shows('is waiting. Press Enter to open it')
    await shows(reminder)
    expect(screen()).not.toMatch(impossible)
  })

  it('prints it as a line of the plain prompt, and the half-typed answer again below it', async () => {
    const sandbox = await createSandbox()
    const ask = ['ask', 'Why?', '--timeout', '3s', '--on-timeout', 'remind']
    const { shows, write, type, end, screen } = terminal(sandbox, [...ask, '--plain'])
    await shows('Due in ')
    await shows('Enter your answer: ')
    write('because')
    await shows('Enter your answer: because')
    await shows(/Enter your answer: because\nReminder · waiting for \d+s.*\nEnter your answer: because/)
    expect(screen()).not.toMatch(impossible)
    type(' of cost')
    expect(await end()).toEqual({ code: 0, stdout: 'because of cost\n' })
  })

  it('never shows a hidden value again when it prints a reminder', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({
      kind: 'dependency',
      type: 'api_key',
      name: 'KEY',
      description: 'to call it',
      timeout: 3_000,
      onTimeout: 'remind',
    })
    const { shows, write, type, screen } = dumbTerminal(sandbox, ['answer', id])
    await shows('Enter your answer: ')
    write('sk-canary')
    await shows(reminder)
    expect(screen()).not.toContain('canary')
    type('-4711')
    await until(async () => (await sandbox.hub.get(id)).status === 'answered', 'the value')
    expect(await sandbox.hub.use(id)).toMatchObject({ value: 'sk-canary-4711' })
  })

  it('shows it in the list of beckon inbox, and never counts a passed deadline down', async () => {
    const sandbox = await createSandbox()
    await sandbox.ask(why)
    const { shows, screen } = terminal(sandbox, ['inbox'])
    await shows(/Reminder · waiting for \d+s: Why\?/)
    await shows(/overdue for \d+s, next reminder/)
    expect(screen()).not.toMatch(impossible)
  })

  it('shows it in a request that is open in beckon inbox', async () => {
    const sandbox = await createSandbox()
    await sandbox.ask({ ...why, timeout: 4_000 })
    const { shows, press, write, screen } = terminal(sandbox, ['inbox'])
    await shows('q quit')
    press('Enter')
    await shows('Enter send')
    write('because')
    await shows(reminder)
    expect(screen()).toContain('▏ because')
    expect(screen()).not.toMatch(impossible)
  })

  it('does not disturb the reason that a person writes in beckon inbox', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ ...why, timeout: 4_000 })
    const { shows, press, write } = terminal(sandbox, ['inbox'])
    await shows('q quit')
    press('d')
    write('not to')
    await shows('▏ not to')
    await shows(/Reminder · waiting for \d+s: Why\?/)
    write('day')
    await shows('▏ not today')
    press('Enter')
    await until(async () => (await sandbox.hub.get(id)).status === 'declined', 'the decline')
    expect((await sandbox.hub.get(id)).outcome?.reason).toBe('not today')
  })

  it('prints it as a line of the plain inbox', async () => {
    const sandbox = await createSandbox()
    await sandbox.ask({ ...why, timeout: 3_000 })
    const { shows, write } = terminal(sandbox, ['inbox', '--plain'])
    await shows('Enter number, r to reload, q to quit: ')
    write('1')
    await shows(/q to quit: 1\nReminder · waiting for \d+s: Why\?\nEnter number, r to reload, q to quit: 1/)
  })
})

describe('a passed deadline', () => {
  it('is overdue in beckon show and beckon list, with the next reminder', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ ...why, timeout: 200 })
    await until(
      async () => (await sandbox.hub.events()).some(({ type }) => type === 'request.reminded'),
      'the reminder',
    )
    const shown = (await sandbox.run(['show', id])).stdout
    expect(shown).toMatch(/^due +Reminder · waiting for \d+s, overdue for \d+s, next reminder /m)
    expect((await sandbox.run(['list'])).stdout).toMatch(/DUE[\s\S]* \d+s ago /)
    await sandbox.hub.cancel(id)
    expect((await sandbox.run(['show', id])).stdout).not.toMatch(/^due /m)
  })
})

describe('a deadline where one answers', () => {
  const ship = ['ask', 'Ship it?', '--option', 'yes', '--option', 'no', '--optional', '--default', 'no']

  it('counts down to its consequence, and says that the time is up', async () => {
    const sandbox = await createSandbox()
    const { shows, end, screen } = terminal(sandbox, [...ship, '--timeout', '5s'])
    await shows('Due in 4 s: no')
    await shows('Due in 3 s: no')
    await shows('Due in 2 s: no')
    await shows('Time is up: the default "no" was used')
    expect(await end()).toEqual({ code: 0, stdout: 'no\n' })
    expect(screen().trim()).toBe('– Ship it? Time is up: the default "no" was used')
  })

  it('says the same in plain lines, on a dumb terminal', async () => {
    const sandbox = await createSandbox()
    const { shows, end } = dumbTerminal(sandbox, [...ship, '--timeout', '12s'])
    await shows(/Due in 1[12] s: no/)
    await shows('Enter number: ')
    await shows(/Enter number:\s+Due in 10 s: no\s+Enter number:/)
    await shows('– Ship it? Time is up: the default "no" was used')
    expect(await end()).toEqual({ code: 0, stdout: 'no\n' })
  })

  it('says of a required question that it only reminds', async () => {
    const sandbox = await createSandbox()
    const { shows } = terminal(sandbox, ['ask', 'Why?', '--timeout', '10m'])
    await shows('An answer is required, so --timeout only reminds.')
    await shows(/Due in \d min.*: a reminder; it stays open, because an answer is required/)
  })
})
