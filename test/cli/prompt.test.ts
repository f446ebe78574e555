import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'
import { terminal } from './tmux.ts'

const shipIt = ['ask', 'Ship it?', '--option', 'yes', '--option', 'no']
const secret = 'sk-canary-70007'

describe('beckon ask in a terminal', () => {
  it('asks right there, and prints the answer alone on stdout', async () => {
    const place = await sandbox()
    const { shows, type, end } = terminal(place, [...shipIt, '--json'])
    await shows(/Ship it\?\n +1\) yes\n +2\) no\n[\s\S]*> /)
    const { id } = await place.pending()
    type('yes')
    const { code, stdout } = await end()
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ id, value: 'yes', by: 'person', channel: 'terminal' })
    expect((await place.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('closes by itself when somebody answers elsewhere, and says who, where and what', async () => {
    const place = await sandbox()
    const { shows, end } = terminal(place, shipIt)
    await shows('> ')
    await place.hub.answer((await place.pending()).id, { value: 'no', by: 'colleague', channel: 'web' })
    await shows('Answered by colleague (web): no')
    expect(await end()).toEqual({ code: 0, stdout: 'no\n' })
  })

  it('refuses a bad entry with the reason and asks again', async () => {
    const place = await sandbox()
    const { shows, type, end } = terminal(place, shipIt)
    await shows('> ')
    type('yse')
    await shows(/one of: yes, no\n>/)
    expect((await place.pending()).status).toBe('pending')
    type('')
    await shows(/Answer is required\n>/)
    // The keyboard is heard once, however often it was asked.
    type('third')
    await shows(/> third\nAnswer must be one of: yes, no\n>/)
    type('2')
    expect(await end()).toEqual({ code: 0, stdout: 'no\n' })
  })

  it('takes Enter for the default, or for skipping what is optional', async () => {
    const place = await sandbox()
    const withDefault = terminal(place, [...shipIt, '--default', 'no'])
    await withDefault.shows('Enter for no')
    withDefault.type('')
    expect(await withDefault.end()).toEqual({ code: 0, stdout: 'no\n' })
    const optional = terminal(place, [...shipIt, '--optional'])
    await optional.shows('Enter skips it')
    optional.type('')
    expect(await optional.end()).toEqual({ code: 11, stdout: '' })
  })

  it('takes several choices, and text that is marked as one’s own', async () => {
    const place = await sandbox()
    const ask = ['ask', 'Which?', '--option', 'a', '--option', 'b, or c', '--option', 'd', '--multi', '--other']
    const several = terminal(place, ask)
    await several.shows('numbers or labels')
    several.type('3, a')
    expect(await several.end()).toEqual({ code: 0, stdout: 'a\nd\n' })
    const whole = terminal(place, ask)
    await whole.shows('numbers or labels')
    whole.type('b, or c')
    expect(await whole.end()).toEqual({ code: 0, stdout: 'b, or c\n' })
    const own = terminal(place, ask)
    await own.shows('=… for an answer of your own')
    own.type('neither')
    await own.shows('one of:')
    own.type('= neither, 나중에')
    expect(await own.end()).toEqual({ code: 0, stdout: 'neither, 나중에\n' })
  })

  it.each(['C-c', 'C-d'])('leaves it open on %s and says how to get back', async key => {
    const place = await sandbox()
    const { shows, press, end } = terminal(place, shipIt)
    await shows('> ')
    const { id } = await place.pending()
    press(key)
    const { code, stdout } = await end()
    expect({ code, ticket: JSON.parse(stdout) }).toEqual({
      code: 75,
      ticket: { status: 'pending', id, wait: `beckon wait ${id}` },
    })
    await shows(`beckon wait ${id}`)
    expect((await place.hub.get(id)).status).toBe('pending')
  })

  it('goes on after Ctrl-Z', async () => {
    const place = await sandbox()
    const { shows, press, type, end } = terminal(place, shipIt)
    await shows('> ')
    press('C-z')
    await shows(/Stopped[\s\S]*\n> /)
    type('no')
    expect(await end()).toEqual({ code: 0, stdout: 'no\n' })
  })

  it('takes no line out of a paste of several', async () => {
    const place = await sandbox()
    const { shows, paste, type, end } = terminal(place, ['ask', 'What?'])
    await shows('> ')
    paste('first\nsecond\n')
    await shows('These were 2 lines')
    type('one line')
    expect(await end()).toEqual({ code: 0, stdout: 'one line\n' })
  })

  it('shows what an agent wrote, and does not obey it', async () => {
    const place = await sandbox()
    const { shows, screen, type, end } = terminal(place, [
      'ask',
      'rm\u202e -rf \x1b[2J?',
      '--option',
      'ok\x1b]0;x\x07=\u200bfine',
    ])
    await shows('rm\\u202e -rf \\x1b[2J?')
    expect(screen()).toContain('1) ok\\x1b]0;x\\x07  \\u200bfine')
    type('1')
    expect((await end()).code).toBe(0)
  })

  it('does not ask an agent that has a terminal', async () => {
    const place = await sandbox()
    const { end, screen } = terminal(place, shipIt, { CLAUDECODE: '1', BECKON_WAIT: '50ms' })
    expect((await end()).code).toBe(75)
    expect(screen()).not.toContain('1) yes')
  })
})

describe('beckon need in a terminal', () => {
  it('does not show the secret while it is typed', async () => {
    const place = await sandbox()
    const script = 'printf %s "$API_KEY" >got; echo done'
    const args = ['need', 'api_key', 'API_KEY', '--description', 'for the tests', '--', 'sh', '-c', script]
    const { shows, screen, type, end } = terminal(place, args)
    await shows('hidden while you type')
    await shows('> ')
    type('short')
    await shows('API key too short')
    type(secret)
    expect(await end()).toEqual({ code: 0, stdout: 'done\n' })
    expect(readFileSync(join(place.cwd, 'got'), 'utf8')).toBe(secret)
    expect(screen()).not.toContain('canary')
    expect(screen()).not.toContain('> short')
    expect((await place.hub.list({ status: 'all' })).requests[0]?.outcome?.channel).toBe('terminal')
  })
})

describe('beckon answer in a terminal', () => {
  it('asks for a secret, hidden, and for each of several questions', async () => {
    const place = await sandbox()
    const need = await place.ask({ kind: 'dependency', type: 'env_variable', name: 'V', description: 'd' })
    const hidden = terminal(place, ['answer', need.id])
    await hidden.shows('> ')
    hidden.type(secret)
    expect((await hidden.end()).code).toBe(0)
    expect(hidden.screen()).not.toContain('canary')
    const { id } = await place.ask({
      questions: [{ question: 'First?', options: ['a', 'b'] }, { question: 'Second?' }],
    })
    const both = terminal(place, ['answer', id])
    await both.shows('First?')
    both.type('2')
    await both.shows('Second?')
    both.type('some text')
    expect((await both.end()).code).toBe(0)
    const { outcome } = await place.hub.get(id)
    expect(outcome).toMatchObject({ channel: 'terminal', answers: [{ selected: ['b'] }, { text: 'some text' }] })
  })

  it('asks for a yes where the whole action is shown, and for what to change in a review', async () => {
    const place = await sandbox()
    const action = { command: 'rm -rf /srv', cwd: place.cwd, digest: 'd', severity: 'critical' as const }
    const approval = await place.ask({ kind: 'approval', action })
    const yes = terminal(place, ['answer', approval.id])
    await yes.shows('rm -rf /srv')
    yes.type('yes')
    expect((await yes.end()).code).toBe(0)
    const review = await place.ask({ kind: 'review', title: 'The parser', files: ['src/parse.ts'] })
    const changes = terminal(place, ['answer', review.id])
    await changes.shows('src/parse.ts')
    changes.type('changes')
    await changes.shows('What should be changed?')
    changes.type('rename it')
    expect((await changes.end()).code).toBe(0)
    expect(await place.hub.get(review.id)).toMatchObject({ status: 'answered', feedback: 'rename it' })
  })

  it('closes with exit 6 when somebody else was first, and with exit 1 when nothing was said', async () => {
    const place = await sandbox()
    const { id } = await place.ask({ questions: [{ question: 'One?' }] })
    const left = terminal(place, ['answer', id])
    await left.shows('> ')
    left.press('C-d')
    expect((await left.end()).code).toBe(1)
    const late = terminal(place, ['answer', id])
    await late.shows('> ')
    await place.hub.answer(id, { value: 'x', by: 'colleague' })
    expect((await late.end()).code).toBe(6)
    await late.shows('by colleague (sdk)')
  })
})
