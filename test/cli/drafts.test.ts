import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox, until } from './sandbox.ts'
import { dumbTerminal, terminal } from './tmux.ts'

const drop = { command: 'dropdb shop', cwd: '/srv', digest: 'd', severity: 'critical' as const }
const ready = 'leave open'

/** The terminal of the sandbox's person; others are given as users. */
function answer(sandbox: Sandbox, id: string, env: Record<string, string> = {}) {
  return terminal(sandbox, ['answer', id], env)
}

describe("another person's draft", () => {
  it('is offered in the prompt by name, and nothing of it is filled in', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Why?' }] })
    const ada = answer(sandbox, id, { BECKON_USER: 'ada' })
    await ada.shows(ready)
    ada.write('because of cost')
    await ada.shows('because of cost')
    ada.press('C-c')
    await ada.end()
    const { shows, screen, write, press, end } = answer(sandbox, id)
    await shows(/ada began this .*because of cost/)
    await shows(ready)
    expect(screen()).not.toContain('▏ because')
    // What this person writes is theirs, and the other draft stays.
    write('my own words')
    await shows('▏ my own words')
    press('C-c')
    await end()
    expect(await sandbox.hub.drafts.all(id)).toMatchObject({
      others: [
        { by: 'person', answers: [{ text: 'my own words' }] },
        { by: 'ada', answers: [{ text: 'because of cost' }] },
      ],
    })
    const again = answer(sandbox, id, { BECKON_USER: 'ada' })
    await again.shows('▏ because of cost')
    await again.shows(/person began this .*my own words/)
  })

  it('is filled in by Ctrl-O, and out again', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Why?' }] })
    await sandbox.hub.drafts.save(id, { answers: [{ id: 'q1', text: 'because of cost' }], by: 'ada' })
    const { shows, press, write } = answer(sandbox, id)
    await shows('^O use it')
    await shows(ready)
    write('hm')
    await shows('▏ hm')
    press('C-o')
    await shows('▏ because of cost')
    await shows("Filled in from ada's draft · ^O undo")
    press('C-o')
    await shows('▏ hm')
    press('C-o')
    await shows('▏ because of cost')
    write('s')
    await shows('▏ because of costs')
    press('Enter')
    const { outcome } = await until(async () => {
      const request = await sandbox.hub.get(id)
      return request.outcome && request
    }, 'the answer')
    expect(outcome).toMatchObject({ by: 'person', answers: [{ text: 'because of costs' }] })
  })

  it('is not offered again once it was discarded, and its author keeps it', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Why?' }] })
    await sandbox.hub.drafts.save(id, { answers: [{ id: 'q1', text: 'because of cost' }], by: 'ada' })
    const first = answer(sandbox, id)
    await first.shows('ada began this')
    await first.shows(ready)
    first.press('C-g')
    await until(() => !first.screen().includes('ada began this'), 'the offer to leave')
    first.press('C-c')
    await first.end()
    const second = answer(sandbox, id)
    await second.shows(ready)
    expect(second.screen()).not.toContain('ada began this')
    const author = answer(sandbox, id, { BECKON_USER: 'ada' })
    await author.shows('▏ because of cost')
  })

  it('is offered in a request opened from beckon inbox', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] })
    await sandbox.hub.drafts.save(id, { answers: [{ id: 'q1', selected: ['yes'] }], by: 'ada' })
    const { shows, press, screen } = terminal(sandbox, ['inbox'])
    await shows('q quit')
    press('Enter')
    await shows(/ada began this .*yes/)
    await shows(ready)
    expect(screen()).not.toMatch(/❯ 1\. yes|✔/)
    press('Enter')
    await shows('Choose with ↑↓ or a number first.')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
  })

  it('is offered by the plain prompt, and used and discarded by commands', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Why?' }, { question: 'When?' }] })
    await sandbox.hub.drafts.save(id, { answers: [{ id: 'q1', text: 'because of cost' }], by: 'ada' })
    const { shows, type } = dumbTerminal(sandbox, ['answer', id])
    await shows(/ada began this .*because of cost/)
    await shows('Enter your answer: ')
    type('/use')
    await shows('Press Enter to keep: because of cost')
    type('')
    await shows('When?')
    type('today')
    await until(async () => (await sandbox.hub.get(id)).status === 'answered', 'the answer')
    expect((await sandbox.hub.get(id)).outcome?.answers).toMatchObject([{ text: 'because of cost' }, { text: 'today' }])
  })

  it('cannot drive the terminal', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'Why?' }] })
    const answers = [{ id: 'q1', text: '\u001b[2Jgone\u202e' }]
    await sandbox.hub.drafts.save(id, { answers, by: 'ada\u202e' })
    const { shows } = answer(sandbox, id)
    await shows(/ada\\u202e began this .*\\x1b\[2Jgone\\u202e/)
  })
})

describe("a person's own draft", () => {
  it('never holds a dangerous yes: the word has to be typed again', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ kind: 'approval', action: drop })
    const first = answer(sandbox, id)
    await first.shows(ready)
    first.press('1', 'Enter')
    await first.shows('Type yes to approve it')
    first.write('yes')
    first.press('C-c')
    await first.end()
    expect(await sandbox.hub.drafts.get(id)).toBeNull()
    // As an older version saved it.
    await sandbox.hub.drafts.save(id, { answers: [{ id: 'approval', selected: ['yes'], note: 'ok' }], by: 'person' })
    const { shows, press, screen } = answer(sandbox, id)
    await shows('Note: ok')
    await shows(ready)
    expect(screen()).not.toMatch(/❯ 1\. yes|✔/)
    press('Enter')
    await shows('Choose with ↑↓ or a number first.')
    press('1', 'Enter')
    await shows('Type yes to approve it')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
  })
})
