import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, launcher, type Sandbox, until } from './sandbox.ts'
import { dumbTerminal, type TerminalOptions, terminal } from './tmux.ts'

const ready = 'leave open'
const shipIt = ['ask', 'Ship it?', '--option', 'yes', '--option', 'no']
const forced = (sandbox: Sandbox) => ({
  kind: 'approval' as const,
  action: { command: 'git push --force', cwd: sandbox.cwd },
})

/** Everything on the screen that is not empty. */
function lines(screen: string): string[] {
  return screen.split('\n').flatMap(line => line.trimEnd() || [])
}

describe.each<TerminalOptions>([
  { columns: 40, rows: 20 },
  { columns: 100, rows: 40 },
])('a prompt at $columns×$rows leaves nothing but its line', size => {
  it('after a choice', async () => {
    const { shows, press, end, screen } = terminal(await createSandbox(), shipIt, {}, size)
    await shows(ready)
    press('2', 'Enter')
    await end()
    expect(lines(screen())).toEqual(['✔ Ship it? no'])
  })

  it('after free text of several lines', async () => {
    const { shows, press, write, end, screen } = terminal(await createSandbox(), ['ask', 'Why?'], {}, size)
    await shows(ready)
    write('because')
    await shows('▏ because')
    press('C-j')
    await shows(/▏ because\n▏/)
    write('of it')
    await shows('▏ of it')
    press('Enter')
    await end()
    expect(lines(screen())).toEqual(['✔ Why? because of it'])
  })

  it('after a batch', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({
      questions: [
        { question: 'Which database?', header: 'Db', options: ['Postgres', 'SQLite'] },
        { question: 'What is it called?', header: 'Name' },
      ],
    })
    const { shows, press, write, end, screen } = terminal(sandbox, ['answer', id], {}, size)
    await shows(ready)
    press('2', 'Enter')
    await shows('What is it called?')
    write('beacon')
    press('Enter')
    await shows('Send these answers')
    press('Enter')
    await end()
    expect(lines(screen())).toEqual(['✔ Db: SQLite · Name: beacon'])
  })

  it('after a dangerous command was declined', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(forced(sandbox))
    const { shows, press, write, end, screen } = terminal(sandbox, ['answer', id], {}, size)
    await shows('Enter choose')
    press('C-x')
    await shows('Why do you decline')
    write('use a lease')
    press('Enter')
    await end()
    expect(lines(screen()).join(' ').replaceAll(/ +/g, ' ')).toBe('✗ Declined: git push --force — use a lease')
  })

  it('after a secret', async () => {
    const sandbox = await createSandbox()
    const need = ['need', 'api_key', 'API_KEY', '--description', 'for the tests', '--', 'true']
    const { shows, type, end, screen } = terminal(sandbox, need, {}, size)
    await shows(ready)
    type('sk-canary-70007')
    await end()
    expect(lines(screen())).toEqual(['✔ Provided: API_KEY'])
  })

  it('after it was skipped, left open, or settled by somebody else', async () => {
    const sandbox = await createSandbox()
    const skipped = terminal(sandbox, [...shipIt, '--optional'], {}, size)
    await skipped.shows('^S skip')
    skipped.press('C-s', 'Enter')
    await skipped.end()
    expect(lines(skipped.screen())).toEqual(['– Skipped: Ship it?'])
    const left = terminal(sandbox, shipIt, {}, size)
    await left.shows(ready)
    left.press('C-c')
    await left.end()
    expect(lines(left.screen())[0]).toBe('○ Left open: Ship it?')
    const elsewhere = terminal(sandbox, ['ask', 'Why?'], {}, size)
    await elsewhere.shows(ready)
    const { requests } = await sandbox.hub.list()
    const id = requests.find(request => request.kind === 'question' && request.questions[0]?.question === 'Why?')?.id
    await sandbox.hub.answer(id ?? '', { value: 'because', by: 'colleague', channel: 'web' })
    await elsewhere.end()
    expect(lines(elsewhere.screen())).toEqual(['✔ Why? because (colleague, web)'])
  })
})

describe('a prompt that waits for another one on its terminal', () => {
  it('says how it was settled elsewhere', async () => {
    const sandbox = await createSandbox()
    const ask = (name: string) => `"${process.execPath}" "${launcher}" ask "${name}?" --option yes </dev/tty`
    const both = `${ask('One')} & until [ -e shown ]; do sleep 0.1; done; ${ask('Two')}; echo "code $?" >&2; wait`
    const { shows } = terminal(sandbox, ['-c', both], {}, { interpreter: 'bash' })
    await shows(ready)
    writeFileSync(join(sandbox.cwd, 'shown'), '')
    const two = await until(async () => (await sandbox.hub.list()).requests[1], 'the second request')
    await sandbox.hub.decline(two.id, { reason: 'later' })
    await shows('✗ Declined: Two? — later (tester, sdk)')
    await shows('code 10')
  })
})

describe('a prompt in plain lines', () => {
  it.each([
    ['on a dumb terminal', (sandbox: Sandbox, args: string[]) => dumbTerminal(sandbox, args)],
    ['with --plain', (sandbox: Sandbox, args: string[]) => terminal(sandbox, [...args, '--plain'])],
  ])('ends with the same line %s', async (_, open) => {
    const sandbox = await createSandbox()
    const { shows, type, end, screen } = open(sandbox, shipIt)
    await shows('Enter number:')
    type('2')
    await end()
    expect(lines(screen()).at(-1)).toBe('✔ Ship it? no')
    const { id } = await sandbox.ask(forced(sandbox))
    const declined = open(sandbox, ['answer', id])
    await declined.shows('Enter number:')
    declined.type('/decline use a lease')
    await declined.end()
    expect(lines(declined.screen()).at(-1)).toBe('✗ Declined: git push --force — use a lease')
  })

  it('has no escape sequences where the terminal knows none', async () => {
    const sandbox = await createSandbox()
    const { shows, type, end, tmux } = dumbTerminal(sandbox, shipIt)
    const written = join(sandbox.cwd, 'written')
    tmux('pipe-pane', `cat >'${written}'`)
    await shows('Enter number:')
    type('1')
    await end()
    await until(() => readFileSync(written, 'utf8').includes('✔ Ship it? yes'), 'its line')
    expect(readFileSync(written, 'utf8')).not.toContain('\x1b')
  })

  it('deletes with Backspace, Ctrl-W and Ctrl-U on a dumb terminal', async () => {
    const sandbox = await createSandbox()
    const { shows, press, write, type, end, screen } = dumbTerminal(sandbox, ['ask', 'Why?'])
    await shows('Enter your answer: ')
    write('nothing')
    press('C-u')
    write('one 한국')
    press('BSpace', 'BSpace', 'Left')
    write('two three')
    press('C-w')
    await shows(/answer: one two$/m)
    type('four')
    expect(await end()).toEqual({ code: 0, stdout: 'one two four\n' })
    expect(lines(screen()).slice(-2)).toEqual(['Enter your answer: one two four', '✔ Why? one two four'])
  })
})
