import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import { freshDatabase } from '../setup/postgres.ts'
import { createSandbox, launcher, type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }], required: false }
const drop = { command: 'dropdb shop', cwd: '/srv', digest: 'd', severity: 'critical' as const }

// Long enough for a key to take effect, in tests that it has none.
const keyDelay = 300

/** Opens an inbox on a real terminal and waits until it takes keys. */
async function openInbox(
  sandbox: Sandbox,
  first: string,
  size: { columns: number; rows: number } | undefined = undefined,
) {
  const inbox = terminal(sandbox, ['inbox'], {}, size)
  await inbox.shows(first)
  // The key hints appear once it takes keys.
  await inbox.shows('q quit')
  const hides = (text: string) => until(() => !inbox.screen().includes(text), `${text} to leave the screen`)
  return { ...inbox, hides }
}

describe('beckon inbox', () => {
  it('lists the pending requests of all runs, dangerous ones first, with age, kind, agent and run', async () => {
    const sandbox = await createSandbox()
    const run = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd, name: 'nightly' })
    await sandbox.ask({ ...shipIt, agent: { name: 'codex' }, run: run.id })
    await sandbox.ask({ kind: 'approval', action: drop, agent: { name: 'claude-code' } })
    const { shows, screen } = await openInbox(sandbox, '2 waiting')
    await shows(
      /❯ +\d+s +!! approval +claude-code +dropdb shop .*\n +\d+s +\? question +codex +Ship it\? +nightly +\w+\n/,
    )
    expect(screen()).toMatch(/claude-code asks\b[\s\S]*Danger: critical/)
    expect(screen()).toContain('Enter open')
  })

  it('shows new requests as they arrive, and says who settled a request', async () => {
    const sandbox = await createSandbox()
    const { shows, hides } = await openInbox(sandbox, 'Nothing is waiting for you')
    const { id } = await sandbox.ask(shipIt)
    await shows(/❯.*Ship it\?/)
    await sandbox.ask({ kind: 'approval', action: drop })
    await shows(/!! approval.*dropdb shop.*\n❯.*Ship it\?/)
    await sandbox.hub.answer(id, { value: 'no', by: 'colleague', channel: 'web' })
    await shows('Ship it? · Answered by colleague (web): no')
    await hides('? question')
    await shows(/1 waiting[\s\S]*❯.*dropdb shop/)
  })

  it('opens a request, answers it, and returns to the list', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(shipIt)
    const { shows, press, end } = await openInbox(sandbox, '1 waiting')
    press('Enter')
    await shows('Enter choose')
    press('2')
    await shows('❯ 2. no')
    press('Enter')
    await shows('Ship it? · Answered by person (terminal): no')
    await shows('Nothing is waiting for you')
    expect((await sandbox.hub.get(id)).outcome).toMatchObject({
      status: 'answered',
      channel: 'terminal',
      by: 'person',
      answers: [{ selected: ['no'] }],
    })
    press('q')
    expect(await end()).toEqual({ code: 0, stdout: '' })
  })

  it('returns on Esc, leaves the request open and saves the draft', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Why?' }] })
    const { shows, press, write } = await openInbox(sandbox, '1 waiting')
    press('Enter')
    await shows('Enter send')
    write('because of 비용')
    await shows('because of 비용')
    press('Escape')
    await shows('1 waiting')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
    expect(await sandbox.hub.drafts.get(id)).toMatchObject({ answers: [{ text: 'because of 비용' }] })
    press('Enter')
    await shows('because of 비용')
  })

  it('closes an open request that is settled elsewhere, and drops the typed text', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Why?' }] })
    const other = await sandbox.ask(shipIt)
    const { shows, press, write } = await openInbox(sandbox, '2 waiting')
    press('Enter')
    await shows('Enter send')
    write('so ')
    await shows('so ')
    await sandbox.hub.answer(id, { value: 'because', by: 'colleague', channel: 'web' })
    await shows('Why? · Answered by colleague (web): because')
    write('s')
    press('Enter')
    await shows(/1 waiting[\s\S]*❯.*Ship it\?/)
    await sleep(keyDelay)
    expect((await sandbox.hub.get(other.id)).status).toBe('pending')
  })

  it('skips after a confirmation, refuses to skip a required request, and declines with a reason', async () => {
    const sandbox = await createSandbox()
    const optional = await sandbox.ask(shipIt)
    const required = await sandbox.ask({ questions: [{ question: 'Which one?' }] })
    const { shows, press, write } = await openInbox(sandbox, '2 waiting')
    press('s')
    await shows('Skip this request? Ship it?')
    press('s')
    press('Enter')
    await shows('Ship it? · Skipped by person (terminal)')
    press('s')
    await shows('required, so it cannot be skipped')
    press('d')
    await shows('Why do you decline this request?')
    write('나중에 quickly')
    press('Enter')
    await shows('Declined by person (terminal): 나중에 quickly')
    expect((await sandbox.hub.get(optional.id)).outcome).toMatchObject({ status: 'skipped', channel: 'terminal' })
    expect((await sandbox.hub.get(required.id)).outcome).toMatchObject({ status: 'declined', reason: '나중에 quickly' })
  })

  it('ignores pasted text as commands', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(shipIt)
    const { shows, paste, press } = await openInbox(sandbox, '1 waiting')
    paste('s\ns\nq\n')
    await sleep(keyDelay)
    press('?')
    await shows('reload the list')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
  })

  it('filters the list, and fits into 40 and 200 columns', async () => {
    const sandbox = await createSandbox()
    await sandbox.ask({ questions: [{ question: '어떤 데이터베이스를 사용할까요? 운영과 개발이 다릅니다' }] })
    await sandbox.ask(shipIt)
    const { shows, hides, press, write, resize } = await openInbox(sandbox, '2 waiting', { columns: 40, rows: 20 })
    await shows(/❯ +\d+s +\? {2}어떤 데이터베이스를 사용할…\n/)
    resize(200, 30)
    await shows(/❯ +\d+s +\? question {2}shell {2}어떤 데이터베이스를 사용할까요\? 운영과 개발이 다릅니다 +\w+\n/)
    press('/')
    write('ship')
    await hides('어떤')
    await shows(/2 waiting, 1 shown[\s\S]*❯.*Ship it\?[\s\S]*Show only: ship/)
  })

  it('restores the screen on exit, also after Ctrl-Z', async () => {
    const sandbox = await createSandbox()
    const { shows, hides, press, end, screen } = await openInbox(sandbox, 'nothing is waiting')
    press('C-z')
    await sleep(1_000)
    await shows('nothing is waiting')
    press('Escape')
    expect(await end()).toEqual({ code: 0, stdout: '' })
    await hides('nothing is waiting')
    expect(screen()).toContain('Stopped')
  })

  it('updates live on PostgreSQL', async () => {
    const sandbox = await createSandbox()
    sandbox.env.BECKON_DB = await freshDatabase()
    sandbox.env.BECKON_KEY = Buffer.alloc(32, 5).toString('base64')
    const hub = await openHub({ env: sandbox.env as NodeJS.ProcessEnv })
    sandbox.atEnd(() => hub.close())
    const { shows, press } = await openInbox(sandbox, 'Nothing is waiting for you')
    const { id } = await hub.raise(shipIt)
    await shows(/❯.*Ship it\?/)
    press('Enter')
    await shows('1. yes')
    await hub.answer(id, { value: 'no', by: 'colleague', channel: 'web' })
    await shows('Ship it? · Answered by colleague (web): no')
  })

  it("exits 5 in an agent's shell, and 1 without a terminal, naming the alternatives", async () => {
    const { run } = await createSandbox()
    expect(await run(['inbox'], { env: { CLAUDECODE: '1' } })).toMatchObject({ code: 5 })
    expect(await run(['inbox', '--plain'], { env: { CLAUDECODE: '1' } })).toMatchObject({ code: 5 })
    const { code, stderr } = await run(['inbox'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^beckon: .*beckon list.*--plain.*\n$/)
  })
})

describe('the terminal output of beckon inbox', () => {
  /** Starts the inbox on a pseudo terminal and records its output and exit code. */
  function start({ env, cwd, atEnd }: Sandbox, args: string[], more: Record<string, string> = {}) {
    const child = spawn(process.execPath, [launcher, 'inbox', ...args], {
      name: 'xterm-256color',
      cwd,
      env: { ...process.env, ...env, TERM_PROGRAM: 'WezTerm', TMUX: '', DISPLAY: '', ...more } as Record<
        string,
        string
      >,
    })
    let sent = ''
    child.onData(chunk => {
      sent += chunk
    })
    const { promise, resolve } = Promise.withResolvers<number>()
    child.onExit(({ exitCode }) => resolve(exitCode))
    atEnd(() => child.kill('SIGKILL'))
    const sends = (text: string) =>
      until(() => sent.includes(text), `${JSON.stringify(text)} in ${JSON.stringify(sent)}`)
    return { child, sends, sent: () => sent, exit: promise }
  }

  it('rings once for a new request, and not for one that was already there', async () => {
    const sandbox = await createSandbox()
    await sandbox.ask(shipIt)
    const { sends, sent, child, exit } = start(sandbox, [])
    await sends('1 waiting')
    await sandbox.ask({ questions: [{ question: 'New;\x1b one?' }] })
    await sends('\x07\x1b]9;shell: New\\x1b one?\x07')
    await sends('2 waiting')
    await sends('q quit')
    child.write('r')
    await sleep(1_500)
    expect(sent().split('\x1b]9;')).toHaveLength(2)
    child.write('q')
    expect(await exit).toBe(0)
  })

  it('rings for a reminder, and not with --quiet', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Why?' }], timeout: 60_000, onTimeout: 'remind' })
    const [loud, quiet] = [start(sandbox, []), start(sandbox, ['--quiet'])]
    for (const { sends } of [loud, quiet]) await sends('q quit')
    expect(loud.sent()).not.toContain('\x07')
    await sandbox.hub.reschedule(id, 1)
    await loud.sends('\x07\x1b]9;shell: Why?\x07')
    await quiet.sends('Reminder · waiting for')
    expect(quiet.sent()).not.toContain('\x07')
  })

  it('notifies the desktop if the terminal cannot, with escaped text', async () => {
    const sandbox = await createSandbox()
    const notified = join(sandbox.root, 'notified')
    writeFileSync(join(sandbox.root, 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" >>'${notified}'\n`, {
      mode: 0o755,
    })
    const env = { TERM_PROGRAM: '', DISPLAY: ':9', PATH: `${sandbox.root}:${process.env.PATH}` }
    const { sends } = start(sandbox, [], env)
    await sends('Nothing is waiting')
    await sandbox.ask({ questions: [{ question: '--icon=x <b>$(id)</b> & co?' }] })
    await until(() => existsSync(notified) && readFileSync(notified, 'utf8').includes('co?'), 'the notification')
    const text = 'shell: --icon=x &lt;b&gt;$(id)&lt;/b&gt; &amp; co?'
    expect(readFileSync(notified, 'utf8')).toBe(`--app-name=Beckon\n--\nBeckon\n${text}\n`)
  })

  it('does not ring with --quiet', async () => {
    const sandbox = await createSandbox()
    const { sends, sent } = start(sandbox, ['--quiet'])
    await sends('Nothing is waiting')
    await sandbox.ask(shipIt)
    await sends('1 waiting')
    expect(sent()).not.toContain('\x07')
  })

  it.each(['SIGTERM', 'SIGHUP'])('restores the terminal on %s while a request is open', async signal => {
    const sandbox = await createSandbox()
    await sandbox.ask(shipIt)
    const { sends, sent, child, exit } = start(sandbox, [])
    await sends('q quit')
    child.write('\r')
    await sends('1. yes')
    child.kill(signal)
    expect(await exit).toBe(0)
    expect(sent()).toMatch('\x1b[?1049l')
    expect(sent().lastIndexOf('\x1b[?2004l')).toBeGreaterThan(sent().lastIndexOf('\x1b[?2004h'))
    expect(sent().lastIndexOf('\x1b[?25h')).toBeGreaterThan(sent().lastIndexOf('\x1b[?25l'))
  })

  it('drops keys typed before the list is visible', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(shipIt)
    const { sends, child } = start(sandbox, [])
    child.write('ssq')
    await sends('q quit')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
    child.write('?')
    await sends('reload the list')
  })
})

describe('beckon inbox --plain', () => {
  it('lists, opens by number, answers and returns, reading every line from a pipe', async () => {
    const sandbox = await createSandbox()
    const why = await sandbox.ask({ questions: [{ question: 'Why?' }] })
    const ship = await sandbox.ask(shipIt)
    const approval = await sandbox.ask({ kind: 'approval', action: drop })
    const input = ['9', 'x', '2', 'because', '2', '/leave', 'r', '1', '1', 'yes', '/leave', 'q', 'unread'].join('\n')
    const { code, stdout } = await sandbox.run(['inbox', '--plain'], { input })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /3 requests are waiting:\n 1\. approval, danger critical, \d+s, shell: dropdb shop\n 2\. question, \d+s, shell: Why\?\n 3\. /,
    )
    expect(stdout).toContain('Enter number, r to reload, q to quit: Enter a number from 1 to 3, r, q or help.')
    expect(stdout).toContain('Answered by person (terminal): because')
    expect(stdout).toContain(`${ship.id} stays open.`)
    expect(stdout).toContain('Type the word yes')
    expect((await sandbox.hub.get(why.id)).outcome).toMatchObject({ answers: [{ text: 'because' }] })
    expect((await sandbox.hub.get(ship.id)).status).toBe('pending')
    // Piped input does not approve a dangerous command.
    expect(stdout).toContain('pasted or piped input does not count')
    expect((await sandbox.hub.get(approval.id)).status).toBe('pending')
  })

  it('has the verbs of the list as words', async () => {
    const sandbox = await createSandbox()
    const ask = (question: string) =>
      sandbox.ask({ questions: [{ question, options: ['yes', 'no'] }], required: false })
    const fixes = [await ask('Fix a1.ts?'), await ask('Fix b2.ts?')]
    const [skipped, declined, asleep] = [await ask('Rebuild?'), await ask('Deploy?'), await ask('Wait?')]
    const danger = await sandbox.ask({ kind: 'approval', action: drop })
    const input = [
      ...['help', 'answer 1 yes', 'answer 2 7', 'answer 2,4 no', 'decline 1,2 no', 'filter agent:shell fix'],
      ...['answer 1-2 no', 'filter', 'skip 2', 'decline 2 not on a Friday', 'snooze 2 2h', 'ask 1 why?', 'skip 1', 'q'],
    ].join('\n')
    const { code, stdout } = await sandbox.run(['inbox', '--plain'], { input })
    expect(code).toBe(0)
    for (const text of [
      'decline 1 REASON   decline it',
      'This is dangerous: approve it in the opened request. Enter its number to open it.',
      '"7" is not one of the options.',
      'Only requests that ask the same are answered together.',
      'Dangerous approvals are decided one by one.',
      '4 more do not match the filter.',
      'Declined by person (terminal): not on a Friday',
      '1 snoozed.',
    ])
      expect(stdout).toContain(text)
    for (const { id } of fixes)
      expect((await sandbox.hub.get(id)).outcome).toMatchObject({ answers: [{ selected: ['no'] }] })
    expect((await sandbox.hub.get(skipped.id)).status).toBe('skipped')
    expect((await sandbox.hub.get(declined.id)).outcome).toMatchObject({ reason: 'not on a Friday' })
    expect((await sandbox.hub.get(asleep.id)).status).toBe('pending')
    expect((await sandbox.hub.get(danger.id)).status).toBe('pending')
  })

  it('exits at the end of the input and leaves the requests open', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(shipIt)
    expect(await sandbox.run(['inbox', '--plain'], { input: '1\n' })).toMatchObject({ code: 0 })
    expect((await sandbox.run(['inbox', '--plain'])).stdout).toContain('1 request is waiting:')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
  })

  it('is the default on a dumb terminal, and closes an open request that is settled elsewhere', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(shipIt)
    const inbox = terminal(
      sandbox,
      ['-c', 'TERM=dumb exec "$NODE" "$BECKON" inbox'],
      { NODE: process.execPath, BECKON: launcher },
      { interpreter: 'bash' },
    )
    await inbox.shows('q to quit:')
    inbox.type('1')
    await inbox.shows('Enter number:')
    await sandbox.hub.answer(id, { value: 'no', by: 'colleague', channel: 'web' })
    await inbox.shows('Answered by colleague (web): no')
    await inbox.shows('Nothing is waiting for you.')
    await sandbox.ask({ questions: [{ question: 'Later?', options: ['yes', 'no'] }] })
    await inbox.shows('New: shell: Later? (r lists it)')
    inbox.type('r')
    await inbox.shows(/1\. new, question, \d+s, shell: Later\?/)
    inbox.type('answer 1 2')
    await inbox.shows('Answered by person (terminal): no')
    await inbox.shows('Nothing is waiting for you.')
    inbox.type('q')
    expect((await inbox.end()).code).toBe(0)
  })
})
