import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { askUserQuestion, createSandbox } from './sandbox.ts'

const agent = { AI_AGENT: 'tester' }
const question = JSON.stringify({
  questions: [
    {
      question: 'Which database?',
      header: 'Database',
      options: ['SQLite', 'PostgreSQL'].map(label => ({ label, description: label })),
      multiSelect: false,
    },
  ],
})

describe('asking an agent back', () => {
  it('reaches AskUserQuestion once, through every kill, until the answer', async () => {
    const { start, run, pending, hub, env } = await createSandbox()
    const ask = { launcher: askUserQuestion, env: agent }
    const asking = start([question], ask)
    const { id, canReply } = await pending()
    expect(canReply).toBe(true)
    asking.child.kill('SIGKILL')
    await asking.result
    expect(await run(['reply', id, 'How much\x1b[2J data?'])).toMatchObject({ code: 0, stdout: '' })

    // Nobody reads what it prints, so the message counts as not handed over.
    const unread = start([question], ask)
    unread.child.stdout?.destroy()
    await unread.result
    const [message] = await hub.messages.unheard(id)
    const told = await run([question], ask)
    expect(told.code).toBe(76)
    expect(told.stderr).toMatch(/^AskUserQuestion: Not an answer\. /)
    expect(told.stdout).not.toContain('\x1b')
    expect(JSON.parse(told.stdout)).toEqual({
      status: 'pending',
      id,
      messages: [{ ...message, from: 'person', by: 'person', text: 'How much\x1b[2J data?' }],
      reply: `beckon reply ${id} "YOUR REPLY"`,
      resume: `AskUserQuestion --wait ${id}`,
    })
    expect(await hub.messages.unheard(id)).toEqual([])

    // Without a reply, it waits on.
    const silent = await run(['--wait', id], { ...ask, env: { ...agent, BECKON_WAIT: '10ms' } })
    expect(silent.code).toBe(75)
    expect((await run(['reply', id, 'About 2 GB.'], { env: agent })).stderr).toContain(`beckon wait ${id}`)
    const dying = start(['--wait', id], ask)
    dying.child.kill('SIGKILL')
    await once(dying.child, 'exit')
    const waiting = start(['--wait', id], ask)
    await run(['answer', id, 'SQLite'], { env })
    const answered = await waiting.result
    expect([answered.code, JSON.parse(answered.stdout).answers]).toEqual([0, { Database: 'SQLite' }])
    expect((await hub.get(id)).messages.map(({ from, by, text }) => [from, by, text])).toEqual([
      ['person', 'person', 'How much\x1b[2J data?'],
      ['agent', 'tester', 'About 2 GB.'],
    ])
  })

  it('tells beckon ask, wait, need and approve in words or JSON, with the command that goes on', async () => {
    const { start, run, hub, pending } = await createSandbox()
    const forms = [
      { args: ['ask', 'Ship it?'], resume: (id: string) => `beckon wait ${id}` },
      {
        args: ['need', 'file', 'SCHEMA', '--description', 'the schema'],
        resume: (id: string) => `beckon need --resume ${id}`,
      },
      { args: ['approve', '--', 'git push --force'], resume: (id: string) => `beckon approve --resume ${id}` },
    ]
    for (const { args, resume } of forms) {
      const asking = start(args, { env: agent })
      const { id } = await pending()
      await hub.messages.send(id, { text: 'Why?\nPlease.' })
      const { code, stdout } = await asking.result
      expect(code).toBe(76)
      expect(stdout).toBe(
        `Not an answer. A person asks back before they decide, and ${id} stays open:\n\ntester: Why?\nPlease.\n\nReply:     beckon reply ${id} "YOUR REPLY"\nThen wait: ${resume(id)}\n`,
      )
      const waiting = start(['wait', id, '--json'], { env: agent })
      await hub.messages.send(id, { text: 'Well?' })
      const told = await waiting.result
      expect([told.code, JSON.parse(told.stdout)]).toMatchObject([
        76,
        { id, messages: [{ text: 'Well?' }], resume: resume(id) },
      ])
      await hub.cancel(id)
    }
    const { stdout } = await run(['events'])
    expect(stdout).toMatch(/request\.message +req_\w+ {2}from the person$/m)
  })

  it('speaks as the agent in its own shell, on its own requests, and never where nobody would hear it', async () => {
    const { ask, run, json, hub, start, pending } = await createSandbox()
    const anothers = await ask({ questions: [{ question: 'Not yours?' }], canReply: true })
    expect(await run(['reply', anothers.id, 'I say'], { env: agent })).toMatchObject({ code: 5 })
    const deaf = await ask({ questions: [{ question: 'A hook?' }], agent: { name: 'tester' } })
    const refused = await run(['reply', deaf.id, 'Why?'])
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('decline it with your message')])
    expect((await run(['reply', 'req_none', 'Why?'])).code).toBe(4)
    expect((await run(['reply', anothers.id, ' '])).code).toBe(1)

    const piped = await json(['reply', anothers.id, '-'], { input: 'First line\nsecond line\n' })
    expect(piped.document.messages).toMatchObject([{ from: 'person', text: 'First line\nsecond line' }])
    await hub.messages.send(anothers.id, { text: 'Because \x1b[31mI say so', as: 'agent' })
    const shown = await run(['show', anothers.id])
    expect(shown.stdout).toMatch(
      /person: First line\n.*second line\n.*shell \(agent\) says: Because \\x1b\[31mI say so/,
    )
    await hub.decline(anothers.id, { reason: 'no' })
    expect(await run(['reply', anothers.id, 'Late'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Declined by tester'),
    })

    // A caller that withdraws its request when it leaves, and a person's script, cannot come back with a reply.
    for (const [args, env] of [
      [['ask', 'Now?', '--cancel-on-exit'], agent],
      [['ask', 'In a script?'], {}],
    ] as const) {
      await hub.cancel(deaf.id).catch(() => {})
      const asking = start([...args], { env })
      const request = await pending()
      expect(request.canReply).toBe(false)
      await hub.cancel(request.id)
      await asking.result
    }
  })
})
