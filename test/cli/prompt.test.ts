import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, launcher, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

const shipIt = ['ask', 'Ship it?', '--option', 'yes', '--option', 'no']
const secret = 'sk-canary-70007'
// The key hints appear once the prompt takes keys.
const ready = 'leave open'

describe('beckon ask in a terminal', () => {
  it('asks in the terminal, and prints only the answer on stdout', async () => {
    const sandbox = await createSandbox()
    const { shows, press, end, screen } = terminal(sandbox, [...shipIt, '--json'])
    await shows(/Ship it\?\n\n {2}1\. yes\n {2}2\. no\n/)
    await shows(ready)
    const { id } = await sandbox.pending()
    press('Enter')
    await shows('Choose with ↑↓ or a number first.')
    press('1')
    await shows('❯ 1. yes')
    press('Enter')
    const { code, stdout } = await end()
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ id, value: 'yes', by: 'person', channel: 'terminal' })
    expect((await sandbox.hub.get(id)).deliveredAt).not.toBeNull()
    expect(screen()).toContain('✔')
    expect(screen()).not.toContain('❯')
  })

  it('closes when somebody answers elsewhere, and says who, where and what', async () => {
    const sandbox = await createSandbox()
    const { shows, end, screen } = terminal(sandbox, shipIt)
    await shows(ready)
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'no', by: 'colleague', channel: 'web' })
    await shows('✔ Ship it? no (colleague, web)')
    expect(await end()).toEqual({ code: 0, stdout: 'no\n' })
    expect(screen()).not.toContain('❯')
  })

  it('starts at the default, and skips an optional request after a confirmation', async () => {
    const sandbox = await createSandbox()
    const withDefault = terminal(sandbox, [...shipIt, '--default', 'no'])
    await withDefault.shows('❯ 2. no')
    await withDefault.shows(ready)
    withDefault.press('Enter')
    expect(await withDefault.end()).toEqual({ code: 0, stdout: 'no\n' })
    const optional = terminal(sandbox, [...shipIt, '--optional'])
    await optional.shows('^S skip')
    optional.press('C-s')
    await optional.shows('Skip this request?')
    optional.press('Enter')
    expect(await optional.end()).toEqual({ code: 11, stdout: '' })
  })

  it('takes several choices', async () => {
    const sandbox = await createSandbox()
    const ask = ['ask', 'Which?', '--option', 'a', '--option', 'b, or c', '--option', 'd', '--multi']
    const { shows, press, end } = terminal(sandbox, ask)
    await shows(ready)
    press('Enter')
    await shows('Nothing is chosen yet')
    press('Space')
    await shows('[x] 1. a')
    press('3')
    await shows('❯ [x] 3. d')
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: 'a\nd\n' })
  })

  it('takes custom text of several lines, and keeps it while the person moves around', async () => {
    const sandbox = await createSandbox()
    const { shows, press, write, paste, end } = terminal(sandbox, [...shipIt, '--other'])
    await shows(ready)
    press('End', 'Enter')
    await shows('Your own answer:')
    write('neither, ')
    write('나중에')
    press('C-j')
    write('and then')
    await shows(/▏ neither, 나중에\n▏ and then/)
    press('Escape')
    await shows('❯ 0. Other: neither, 나중에 and then')
    press('Home')
    await shows('❯ 1. yes')
    press('End', 'Enter')
    await shows(/▏ neither, 나중에\n▏ and then/)
    paste('\nlast\nlines')
    await shows('▏ lines')
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: 'neither, 나중에\nand then\nlast\nlines\n' })
  })

  it('takes a note with the answer', async () => {
    const sandbox = await createSandbox()
    const { shows, press, write, end } = terminal(sandbox, [...shipIt, '--json'])
    await shows(ready)
    press('Tab')
    await shows('A note to go with the answer:')
    write('only today')
    press('Enter')
    await shows('Note: only today')
    press('1', 'Enter')
    expect(JSON.parse((await end()).stdout).answers).toEqual([
      { id: 'q1', selected: ['yes'], text: null, note: 'only today' },
    ])
  })

  it('shows the note to a caller without --json, apart from the answer', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] })
    await sandbox.hub.answer(id, { answers: [{ id: 'q1', selected: ['yes'], note: 'only\ntoday' }] })
    expect(await sandbox.run(['wait', id])).toEqual({ code: 0, stdout: 'yes\n', stderr: 'beckon: Note: only today\n' })
  })

  it('declines only with a reason', async () => {
    const sandbox = await createSandbox()
    const { shows, press, write, end } = terminal(sandbox, [...shipIt, '--json'])
    await shows(ready)
    press('C-x', 'Enter')
    await shows('Enter a reason')
    write('not on a Friday')
    press('Enter')
    const { code, stdout } = await end()
    expect(code).toBe(10)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'declined', reason: 'not on a Friday' })
  })

  it('filters many options by the typed text', async () => {
    const sandbox = await createSandbox()
    const options = Array.from({ length: 30 }, (_, i) => ['--option', `region-${i + 1} ${'x'.repeat(190)}`]).flat()
    const { shows, press, write, end, screen } = terminal(sandbox, ['ask', 'Where?', ...options], {}, { rows: 24 })
    await shows('type to filter')
    expect(screen()).toMatch(/↓ \d+ more/)
    press('End')
    await shows('❯ 30. region-30')
    expect(screen()).toMatch(/↑ \d+ more/)
    write('n-17')
    await shows('Filter: n-17  1 of 30')
    await shows('❯ 17. region-17')
    press('Escape')
    await shows('18. region-18')
    write('n-23')
    await shows('❯ 23. region-23')
    press('Enter')
    expect((await end()).stdout).toBe(`region-23 ${'x'.repeat(190)}\n`)
  })

  it.each(['C-c', 'C-d'])('leaves the request open on %s and prints how to resume', async key => {
    const sandbox = await createSandbox()
    const { shows, press, end } = terminal(sandbox, shipIt)
    await shows(ready)
    const { id } = await sandbox.pending()
    press(key)
    const { code, stdout } = await end()
    expect({ code, ticket: JSON.parse(stdout) }).toEqual({
      code: 75,
      ticket: { status: 'pending', id, wait: `beckon wait ${id}`, resume: `beckon wait ${id}` },
    })
    await shows(`beckon wait ${id}`)
    expect((await sandbox.hub.get(id)).status).toBe('pending')
  })

  it('collapses on Esc without answering, and opens again', async () => {
    const sandbox = await createSandbox()
    const { shows, press, end, screen } = terminal(sandbox, shipIt)
    await shows(ready)
    press('2')
    await shows('❯ 2. no')
    press('Escape')
    await shows('is waiting. Press Enter to open it')
    expect(screen()).not.toContain('❯')
    expect((await sandbox.pending()).status).toBe('pending')
    press('Enter')
    await shows('❯ 2. no')
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: 'no\n' })
  })

  it('ignores keys that were typed before the prompt appeared', async () => {
    const sandbox = await createSandbox()
    const { shows, press, end } = terminal(sandbox, shipIt)
    // A person types something else while the program starts.
    for (let i = 0; i < 3; i += 1) press('Down', 'Enter')
    await shows(ready)
    expect((await sandbox.pending()).status).toBe('pending')
    press('1', 'Enter')
    expect(await end()).toEqual({ code: 0, stdout: 'yes\n' })
  })

  it('continues after Ctrl-Z', async () => {
    const sandbox = await createSandbox()
    const { shows, press, end } = terminal(sandbox, shipIt)
    await shows(ready)
    press('2')
    await shows('❯ 2. no')
    press('C-z')
    await shows(/Stopped[\s\S]*❯ 2\. no/)
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: 'no\n' })
  })

  it('does not choose an option by pasted text', async () => {
    const sandbox = await createSandbox()
    const { shows, paste, press, end } = terminal(sandbox, shipIt)
    await shows(ready)
    paste('yes\nyes\n')
    await shows('Filter: yes yes')
    expect((await sandbox.pending()).status).toBe('pending')
    press('Escape')
    await shows('  1. yes')
    press('2')
    await shows('❯ 2. no')
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: 'no\n' })
  })

  it('keeps unfinished text for the next prompt', async () => {
    const sandbox = await createSandbox()
    const first = terminal(sandbox, ['ask', 'What?', '--key', 'k'])
    await first.shows(ready)
    first.write('half a thou')
    await first.shows('half a thou')
    first.press('C-c')
    expect((await first.end()).code).toBe(75)
    const again = terminal(sandbox, ['ask', 'What?', '--key', 'k'])
    await again.shows('▏ half a thou')
    await again.shows(ready)
    again.write('ght')
    again.press('Enter')
    expect(await again.end()).toEqual({ code: 0, stdout: 'half a thought\n' })
  })

  it('redraws when the window size changes', async () => {
    const sandbox = await createSandbox()
    const { shows, resize, press, end, screen } = terminal(sandbox, [
      ...['ask', '어떤 데이터베이스를 쓸까요? It is a long question that needs more than one line.', '--option', 'a'],
    ])
    await shows(ready)
    press('Down')
    await shows('❯ 1. a')
    resize(40, 30)
    await shows(/어떤 데이터베이스를 쓸까요\? It is a long\nquestion that/)
    expect(screen().match(/❯ 1\. a/g)).toHaveLength(1)
    resize(120, 30)
    await shows(/needs more than one line\.\n/)
    expect(screen().match(/❯ 1\. a/g)).toHaveLength(1)
    press('Enter')
    expect((await end()).code).toBe(0)
  })

  it('leaves no old frame when the window becomes too small for it, and large again', async () => {
    const sandbox = await createSandbox()
    const options = Array.from({ length: 12 }, (_, i) => ['--option', `Option number ${i + 1}`]).flat()
    const { shows, resize, tmux } = terminal(sandbox, ['ask', 'Which?', ...options], {}, { columns: 100, rows: 30 })
    await shows(ready)
    resize(60, 10)
    await shows('more lines (PgDn)')
    resize(100, 30)
    await shows('12. Option number 12')
    const all = tmux('capture-pane', '-p', '-S', '-')
    expect(all.match(/Which\?/g)).toHaveLength(1)
    expect(all.match(/Option number 1$/gm)).toHaveLength(1)
    expect(all.match(/leave open/g)).toHaveLength(1)
  })

  it('does not ask an agent that has a terminal', async () => {
    const sandbox = await createSandbox()
    const { end, screen } = terminal(sandbox, shipIt, { CLAUDECODE: '1', BECKON_WAIT: '50ms' })
    expect((await end()).code).toBe(75)
    expect(screen()).not.toContain('❯')
  })

  it('releases the terminal while it is stopped, and waits for its turn afterwards', async () => {
    const sandbox = await createSandbox()
    const { shows, press, screen, type } = terminal(sandbox, ['--norc', '-i'], {}, { interpreter: 'bash' })
    await shows(/[$#] /)
    const ask = (name: string) =>
      `"${process.execPath}" "${launcher}" ask "${name}?" --option yes --option no >${name}.out`
    type(ask('One'))
    await shows(ready)
    press('C-z')
    await shows('Stopped')
    type(ask('Two'))
    await shows('Two?')
    await shows(ready)
    press('2', 'Enter')
    await shows('✔ Two? no')
    type('fg')
    await until(() => screen().lastIndexOf('One?') > screen().lastIndexOf('Two?'), 'the first prompt to return')
    press('1', 'Enter')
    await shows('✔ One? yes')
  })

  it('keeps the rest of the typed text from the shell when somebody else answers first', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ kind: 'dependency', type: 'api_key', name: 'K', description: 'd' })
    const { shows, write, end, screen } = terminal(sandbox, ['answer', id])
    await shows(ready)
    write('sk-can')
    await shows('••••••')
    await sandbox.hub.answer(id, { value: 'sk-from-elsewhere' })
    write('ary-70007')
    expect((await end()).code).toBe(6)
    expect(screen()).not.toContain('ary-70007')
  })

  it('takes turns with another prompt on the same terminal', async () => {
    const sandbox = await createSandbox()
    const both = join(sandbox.cwd, 'both.sh')
    const command = (name: string) =>
      `"${process.execPath}" "${launcher}" ask "${name}?" --option yes --option no >${name}.out </dev/tty`
    const { writeFileSync } = await import('node:fs')
    writeFileSync(both, `${command('One')} & until [ -e go ]; do sleep 0.05; done; ${command('Two')} & wait\n`)
    const { shows, press, screen } = terminal(sandbox, [both], {}, { interpreter: 'bash' })
    await shows(ready)
    writeFileSync(join(sandbox.cwd, 'go'), '')
    await until(async () => (await sandbox.hub.list()).requests.length === 2, 'both to be asked')
    expect(screen()).not.toContain('Two?')
    press('2', 'Enter')
    await shows('Two?')
    await shows(ready)
    press('1', 'Enter')
    const read = (name: string) => readFileSync(join(sandbox.cwd, `${name}.out`), 'utf8')
    expect(await until(() => read('Two'), 'the second answer')).toBe('yes\n')
    expect(read('One')).toBe('no\n')
  })
})

describe('a batch of four questions', () => {
  it('can be answered back and forth, reviewed, and sent as a whole', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({
      questions: [
        { question: 'Which database?', header: 'Database', options: ['PostgreSQL', 'SQLite'] },
        { question: 'Which features?', header: 'Features', options: ['Cache', 'Log', 'Trace'], multiSelect: true },
        { question: 'What is it called?', header: 'Name' },
        { question: '어디에?', header: '地域', options: ['서울', '東京'], allowOther: true },
      ],
    })
    const { shows, press, write, end } = terminal(sandbox, ['answer', id])
    await shows('1 of 4  Database')
    await shows(ready)
    press('1', 'Enter')
    await shows('2 of 4  Features')
    press('Space', 'Down', 'Down', 'Space', 'Enter')
    await shows('3 of 4  Name')
    write('beacon')
    press('BTab')
    await shows('2 of 4  Features')
    press('Left')
    await shows('❯ 1. PostgreSQL ✔')
    press('Down', 'Enter')
    await shows('❯ [x] 1. Cache')
    press('Enter')
    await shows('▏ beacon')
    press('Enter')
    await shows('4 of 4  地域')
    press('2', 'Enter')
    await shows('Your answers')
    await shows(/1\. Database\n +SQLite\n +2\. Features\n +Cache\n +Trace\n +3\. Name\n +beacon\n +4\. 地域\n +東京/)
    expect((await sandbox.hub.get(id)).status).toBe('pending')
    press('4')
    await shows('❯ 2. 東京 ✔')
    press('Up', 'Enter')
    await shows('❯ Send these answers')
    press('Enter')
    expect((await end()).code).toBe(0)
    expect((await sandbox.hub.get(id)).outcome?.answers.map(({ selected, text }) => [selected, text])).toEqual([
      [['SQLite'], null],
      [['Cache', 'Trace'], null],
      [[], 'beacon'],
      [['서울'], null],
    ])
  })
})

describe('beckon need in a terminal', () => {
  it('does not show the secret while it is typed', async () => {
    const sandbox = await createSandbox()
    const script = 'printf %s "$API_KEY" >got; echo done'
    const args = ['need', 'api_key', 'API_KEY', '--description', 'for the tests', '--', 'sh', '-c', script]
    const { shows, screen, type, press, end } = terminal(sandbox, args)
    await shows('What you enter is encrypted and not shown.')
    await shows(ready)
    type('short')
    await shows('API key too short')
    press('C-u')
    type(secret)
    expect(await end()).toEqual({ code: 0, stdout: 'done\n' })
    expect(readFileSync(join(sandbox.cwd, 'got'), 'utf8')).toBe(secret)
    expect(screen()).not.toContain('canary')
    expect(screen()).not.toContain('▏ short')
    expect((await sandbox.hub.list({ status: 'all' })).requests[0]?.outcome?.channel).toBe('terminal')
  })
})

describe('beckon answer in a terminal', () => {
  it('takes a yes to a dangerous command only as a typed word, after showing all of it', async () => {
    const sandbox = await createSandbox()
    const action = { command: 'rm -rf /srv', cwd: sandbox.cwd, digest: 'd', severity: 'critical' as const }
    const { id } = await sandbox.ask({ kind: 'approval', action })
    const { shows, press, type, end } = terminal(sandbox, ['answer', id])
    await shows('rm -rf /srv')
    await shows(ready)
    press('1', 'Enter')
    await shows('Type yes to approve it:')
    press('Enter')
    await shows('Nothing was approved.')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
    type('yes')
    expect((await end()).code).toBe(0)
    expect(await sandbox.hub.get(id)).toMatchObject({
      status: 'answered',
      outcome: { answers: [{ selected: ['yes'] }] },
    })
  })

  it('asks what should be changed', async () => {
    const sandbox = await createSandbox()
    const review = await sandbox.ask({ kind: 'review', title: 'The parser', files: ['src/parse.ts'] })
    const { shows, press, type, end } = terminal(sandbox, ['answer', review.id])
    await shows('src/parse.ts')
    await shows(ready)
    press('2', 'Enter')
    await shows('What should be changed?')
    type('rename it')
    expect((await end()).code).toBe(0)
    expect(await sandbox.hub.get(review.id)).toMatchObject({ status: 'answered', feedback: 'rename it' })
  })

  it('exits 6 when somebody else answered first, and 1 when no answer was given', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'One?' }] })
    const left = terminal(sandbox, ['answer', id])
    await left.shows(ready)
    left.press('C-d')
    expect((await left.end()).code).toBe(1)
    const late = terminal(sandbox, ['answer', id])
    await late.shows(ready)
    await sandbox.hub.answer(id, { value: 'x', by: 'colleague' })
    expect((await late.end()).code).toBe(6)
    await late.shows('by colleague (sdk)')
  })
})
