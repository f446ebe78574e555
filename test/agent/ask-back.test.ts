import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from '../cli/sandbox.ts'
import { resultsIn, type Script, startModelServer } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'

/** Asks, replies to whatever it is asked back, and says what it was told last. */
const repliesToAll: Script = (seen, count) => {
  const last = resultsIn(seen).at(-1)
  if (last === undefined)
    return { calls: [{ name: 'AskUserQuestion', input: { question: 'Which?', options: ['a', 'b'] } }] }
  const [, replyTo, said] = /^Not an answer\..* question (req_\w+) is still open:\n\n\w+: (.*)$/m.exec(last) ?? []
  if (replyTo === undefined) return { text: `It is ${last}` }
  return { calls: [{ name: 'AskUserQuestion', input: { replyTo, reply: `Reply ${count} to ${said}` } }] }
}

async function createModelSandbox() {
  const sandbox = await createSandbox()
  const server = await startModelServer(repliesToAll)
  sandbox.atEnd(() => server.close())
  Object.assign(sandbox.env, server.env, { BECKON_MODEL: 'anthropic/scripted' })
  return { ...sandbox, server, thread }

  /** The messages on a request, once there are this many. */
  async function thread(id: string, count: number) {
    const { hub } = sandbox
    await until(async () => (await hub.get(id)).messages.length >= count, `${count} messages`)
    return (await hub.get(id)).messages
  }
}

const journalOf = (folder: string) => join(folder, 'journal.jsonl')

describe('the built-in agent that is asked back', () => {
  it('gets the message as the result of its call and replies, brought back after each kill -9, until the answer', async () => {
    const { start, pending, hub, server, thread, run } = await createModelSandbox()
    const first = start(['agent', 'run', 'go'])
    const { id, canReply } = await pending()
    expect(canReply).toBe(true)
    first.child.kill('SIGKILL')
    await first.result
    // The message alone brings it back.
    await hub.messages.send(id, { text: 'one?' })
    await thread(id, 2)
    process.kill((await hub.runs.list())[0]?.pid ?? 0, 'SIGKILL')
    expect((await run(['reply', id, 'two?'])).code).toBe(0)
    await thread(id, 4)
    await hub.answer(id, { value: 'b' })
    await until(async () => (await hub.runs.list())[0]?.status === 'completed', 'its end')
    expect((await thread(id, 4)).map(({ from, text }) => [from, text])).toEqual([
      ['person', 'one?'],
      ['agent', 'Reply 2 to one?'],
      ['person', 'two?'],
      ['agent', 'Reply 3 to two?'],
    ])
    expect(resultsIn(server.log.at(-1) as never)).toEqual([
      expect.stringMatching(/^Not an answer\. .*\n\ntester: one\?/s),
      expect.stringMatching(/^Not an answer\. .*\n\nperson: two\?/s),
      'User selected: b',
    ])
    expect(server.violations).toEqual([])
  })

  it('is woken by a message, although its question is open', async () => {
    const { run, hub, thread } = await createModelSandbox()
    const asleep = await run(['agent', 'run', 'go'], { env: { BECKON_WAIT: '100ms' } })
    expect(asleep.code).toBe(75)
    const { id } = JSON.parse(asleep.stdout)
    expect((await run(['reply', id, 'one?'])).code).toBe(0)
    await thread(id, 2)
    await hub.answer(id, { value: 'a' })
    await until(async () => (await hub.runs.list())[0]?.status === 'completed', 'its end')
  })

  it('takes a message once and sends a reply once, wherever a crash cut it off', async () => {
    const sandbox = await createAgentSandbox(repliesToAll)
    const { hub, server } = sandbox
    const loop = await sandbox.open()
    await loop.runTurn('go')
    const id = loop.getPendingQuestion()?.id ?? ''
    await hub.messages.send(id, { text: 'one?' })
    loop.close()
    const killed = { ...hub.messages, confirm: () => Promise.reject(new Error('killed here')) }
    const second = await sandbox.open({ folder: loop.folder, hub: { ...hub, messages: killed } })
    expect(await second.runTurn()).toMatchObject({ status: 'failed' })
    second.close()
    expect(await hub.messages.unheard(id)).toHaveLength(1)
    const third = await sandbox.open({ folder: loop.folder })
    expect(await hub.messages.unheard(id)).toHaveLength(0)
    expect(await third.runTurn()).toMatchObject({ status: 'waiting', question: { id } })
    third.close()
    // The reply was stored and not journalled, and the person wrote again meanwhile.
    const lines = readFileSync(journalOf(loop.folder), 'utf8').trimEnd().split('\n')
    const kept = lines.slice(
      0,
      lines.findLastIndex(line => line.includes('"asked"')),
    )
    writeFileSync(journalOf(loop.folder), kept.map(line => `${line}\n`).join(''))
    await hub.messages.send(id, { text: 'two?' })
    const fourth = await sandbox.open({ folder: loop.folder })
    await fourth.runTurn()
    await hub.answer(id, { value: 'a' })
    expect(await fourth.runTurn()).toMatchObject({ status: 'done', text: 'It is User selected: a' })
    expect((await hub.get(id)).messages.map(({ text }) => text)).toEqual([
      'one?',
      'Reply 2 to one?',
      'two?',
      'Reply 3 to two?',
    ])
    expect(server.violations).toEqual([])
  })

  it('withdraws a question that it goes on without, and replies to no question of others', async () => {
    const sandbox = await createAgentSandbox((seen, count) => {
      if (count === 1) return { calls: [{ name: 'AskUserQuestion', input: { question: 'Which?' } }] }
      const others = { replyTo: seen.items.length > 3 ? 'none' : 'req_other', reply: 'Hello' }
      return count === 2 ? { calls: [{ name: 'AskUserQuestion', input: others }] } : { text: 'Never mind.' }
    })
    const loop = await sandbox.open()
    const { hub } = sandbox
    await loop.runTurn('go')
    const id = loop.getPendingQuestion()?.id ?? ''
    await hub.messages.send(id, { text: 'Why?' })
    expect(await loop.runTurn()).toMatchObject({ status: 'done', text: 'Never mind.' })
    expect(resultsIn(sandbox.server.log.at(-1) as never)[1]).toContain('You have no question')
    expect(await hub.get(id)).toMatchObject({
      status: 'cancelled',
      outcome: { reason: 'The agent went on without the answer' },
    })
  })
})
