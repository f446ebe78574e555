import { describe, expect, it } from 'vitest'
import { createSandbox, until } from './sandbox.ts'
import { dumbTerminal, terminal } from './tmux.ts'

const database = { questions: [{ question: '어떤 데이터베이스를 쓸까요?', options: ['SQLite', '포스트그레스큐엘'] }] }

/** Asks the same again, as another ask. */
async function answeredBefore() {
  const sandbox = await createSandbox()
  const first = await sandbox.ask({ ...database, key: 'first' })
  await sandbox.hub.answer(first.id, { value: '포스트그레스큐엘', by: 'person' })
  const { id } = await sandbox.ask({ ...database, key: 'second', canReply: true, agent: { name: 'claude' } })
  const outcome = async () => (await sandbox.hub.get(id)).outcome
  return { sandbox, id, outcome }
}

describe('talking to agents in a terminal', () => {
  it('shortens a long last answer in the inbox, and not who gave it and how to give it again', async () => {
    const sandbox = await createSandbox()
    const said = { questions: [{ question: '무엇을 할까요?' }] }
    const first = await sandbox.ask({ ...said, key: 'first' })
    await sandbox.hub.answer(first.id, {
      value: '데이터베이스를 먼저 옮기고 the rest later, '.repeat(20),
      by: 'person',
    })
    await sandbox.ask({ ...said, key: 'second' })
    const { shows } = terminal(sandbox, ['inbox'], {}, { columns: 40, rows: 20 })
    await shows(/^Last time: 데이터베이스를[^\n]*\n[^\n]*… \(you, \d+s ago\) · l answer the same$/m)
  })

  it('shows the last answer in the inbox and takes it again, asks back, and hides what is snoozed', async () => {
    const { sandbox, id, outcome } = await answeredBefore()
    const other = await sandbox.ask({ questions: [{ question: 'And the queue?' }], key: 'other' })
    const { shows, press, type, screen } = terminal(sandbox, ['inbox'], {}, { columns: 80, rows: 30 })
    await shows('q quit')
    await shows(/Last time: 포스트그레스큐엘 \(you, \d+s ago\) · l answer the same/)

    press('c')
    await shows('Your message to the agent:')
    type('어느 지역인가요?')
    await shows(/person asked back, \d+s ago:\s+어느 지역인가요\?/)
    expect((await sandbox.hub.get(id)).messages).toMatchObject([
      { from: 'person', by: 'person', text: '어느 지역인가요?' },
    ])
    await sandbox.hub.messages.send(id, { text: 'eu\u202e-west\x1b[2J', as: 'agent' })
    await shows(/claude says \(unchecked\), \d+s ago:\s+eu/)
    expect(screen()).not.toContain('\u202e')

    press('j')
    await shows(/❯ .*And the queue\?/)
    expect(screen()).not.toContain('Last time')
    press('z')
    await shows('1 for an hour')
    press('1')
    await shows('1 waiting · 1 snoozed')
    expect((await sandbox.hub.get(other.id)).status).toBe('pending')
    press('Z')
    await shows(/❯ .*And the queue\?/)
    press('z')
    await shows(/2 waiting(?! ·)/)

    press('k')
    await shows(/❯ .*어떤 데이터베이스/)
    press('l')
    await shows('Answer the same as last time?')
    press('Enter')
    await until(async () => (await outcome()) !== null, 'the answer')
    expect(await outcome()).toMatchObject({ answers: [{ selected: ['포스트그레스큐엘'] }], channel: 'terminal' })
  })

  it('takes the last answer again in a prompt with one key, after asking back', async () => {
    const { sandbox, id, outcome } = await answeredBefore()
    const { shows, press, type, end } = terminal(sandbox, ['answer', id], {}, { columns: 60, rows: 24 })
    await shows(/Last time: 포스트그레스큐엘 \(you, \d+s ago\) · \^L answer the\s+same/)
    await shows('^R ask back')
    press('C-r')
    await shows('Your message to the agent.')
    type('Which region?')
    await shows('Sent to the agent. The request stays open.')
    await sandbox.hub.messages.send(id, { text: 'Seoul', as: 'agent' })
    await shows(/claude says \(unchecked\), \d+s ago:\s+Seoul/)
    expect(await outcome()).toBeNull()
    press('C-l')
    expect((await end()).code).toBe(0)
    expect(await outcome()).toMatchObject({ answers: [{ selected: ['포스트그레스큐엘'] }], by: 'person' })
  })

  it('has words for the same in plain lines', async () => {
    const { sandbox, id, outcome } = await answeredBefore()
    const { shows, type } = dumbTerminal(sandbox, ['inbox'])
    await shows('1. question')
    type('1')
    await shows(/Last time: 포스트그레스큐엘 \(you, \d+s ago\)\. Type \/last to answer the same\./)
    type('/ask Which region?')
    await shows('Sent to the agent. The request stays open.')
    await sandbox.hub.messages.send(id, { text: 'Seoul', as: 'agent' })
    await shows(/claude says \(unchecked\), \d+s ago:\s+Seoul/)
    type('/snooze soon')
    await shows('"soon" is not a duration.')
    type('/snooze 2h')
    await shows('1 more is snoozed.')
    type('z')
    await shows('1 request is snoozed:')
    type('1')
    await shows(/Seoul[\s\S]*Type \/last/)
    type('/last')
    await until(async () => (await outcome()) !== null, 'the answer')
    expect(await outcome()).toMatchObject({ answers: [{ selected: ['포스트그레스큐엘'] }] })
  })
})
