import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resultsIn, type Script } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'

/** Gives one reply per request, in this order. */
const inOrder =
  (...replies: Awaited<ReturnType<Script>>[]): Script =>
  (_, count) =>
    replies[count - 1] ?? { text: 'done' }

const ask = (input: unknown, id = 'ask_1') => ({ calls: [{ id, name: 'AskUserQuestion', input }] })

describe.each(['anthropic/scripted', 'openai/scripted', 'compatible/scripted', 'google/scripted'])(
  'a turn with %s',
  model => {
    it('runs tools until the model is done, and keeps the history', async () => {
      const sandbox = await createAgentSandbox(
        inOrder(
          {
            text: 'I look.',
            calls: [
              { name: 'Read', input: { path: 'a.txt' } },
              { name: 'Glob', input: { pattern: '*.txt' } },
            ],
          },
          { calls: [{ name: 'Write', input: { path: 'b.txt', content: 'hello\n' } }] },
          { text: 'Written.' },
        ),
        { model },
      )
      writeFileSync(join(sandbox.cwd, 'a.txt'), '안녕 world\n')
      const loop = await sandbox.open()
      expect(await loop.runTurn('copy it')).toMatchObject({ status: 'done', needsInput: false, text: 'Written.' })
      expect(readFileSync(join(sandbox.cwd, 'b.txt'), 'utf8')).toBe('hello\n')
      expect(resultsIn(sandbox.server.log[1] as never)).toEqual(['     1\t안녕 world', 'a.txt'])
      expect(sandbox.server.violations).toEqual([])
      expect(sandbox.server.log[0]?.system).toContain('Ask with AskUserQuestion')
      expect(sandbox.server.log[0]?.system).toContain('A no is final')
      expect(loop.status().usage).toMatchObject({ input: 300, output: 30 })
    })

    it('blocks on a question: the model is not called before the answer, which becomes the result of that call', async () => {
      const sandbox = await createAgentSandbox(
        inOrder(ask({ question: 'Which?', options: ['pytest', 'unittest'] }), { text: 'ok' }),
        { model },
      )
      const loop = await sandbox.open()
      const result = await loop.runTurn('set up tests')
      expect(result).toMatchObject({ status: 'waiting', needsInput: true, question: { status: 'pending' } })
      expect(loop.isWaitingInput()).toBe(true)
      expect(loop.getPendingQuestion()).toMatchObject({ questions: [{ question: 'Which?' }] })
      await loop.runTurn()
      await loop.runTurn('hurry up')
      expect(sandbox.server.log).toHaveLength(1)
      await loop.answerQuestion('pytest')
      expect(loop.isWaitingInput()).toBe(false)
      expect(await loop.runTurn()).toMatchObject({ status: 'done', text: 'ok' })
      expect(sandbox.server.violations).toEqual([])
      expect(sandbox.server.log[1]?.items.slice(1)).toMatchObject([
        { type: 'call', name: 'AskUserQuestion' },
        { type: 'result', output: 'User selected: pytest' },
        { type: 'user', text: 'hurry up' },
      ])
      expect((await sandbox.hub.list({ status: 'all' })).requests).toMatchObject([{ deliveredAt: expect.any(String) }])
    })
  },
)

it('returns the answer as the result of the call that asked, by its id', async () => {
  const sandbox = await createAgentSandbox(inOrder(ask({ question: 'Which?' }, 'toolu_42'), { text: 'ok' }))
  const loop = await sandbox.open()
  await loop.runTurn('go')
  await loop.answerQuestion('that one')
  await loop.runTurn()
  expect(sandbox.server.log[1]?.items.at(-1)).toEqual({
    type: 'result',
    id: 'toolu_42',
    output: 'User answered: that one',
    failed: false,
  })
})

it('adds the text of the reply to the question as its context', async () => {
  const sandbox = await createAgentSandbox(
    inOrder(
      { text: 'There are **two** ways.', ...ask({ question: 'Which?' }) },
      ask({ question: 'And?', context: 'Own words.' }, 'b'),
    ),
  )
  const loop = await sandbox.open()
  expect(await loop.runTurn('go')).toMatchObject({ question: { context: 'There are **two** ways.' } })
  await loop.answerQuestion('left')
  expect(await loop.runTurn()).toMatchObject({ question: { context: 'Own words.' } })
})

describe('a dangerous command', () => {
  const script = inOrder({ calls: [{ name: 'Bash', input: { command: 'rm -rf src' } }] }, { text: 'ok' })

  it('runs once, after a yes to exactly this command', async () => {
    const sandbox = await createAgentSandbox(script)
    mkdirSync(join(sandbox.cwd, 'src'))
    const loop = await sandbox.open()
    const result = await loop.runTurn('clean up')
    expect(result).toMatchObject({
      question: { kind: 'approval', action: { command: 'rm -rf src', cwd: sandbox.cwd } },
    })
    expect(existsSync(join(sandbox.cwd, 'src'))).toBe(true)
    await loop.answerQuestion('yes')
    await loop.runTurn()
    expect(existsSync(join(sandbox.cwd, 'src'))).toBe(false)
    expect((await sandbox.hub.list({ status: 'all' })).requests).toMatchObject([{ usedAt: expect.any(String) }])
  })

  it('does not run after a no, and the model learns why', async () => {
    const sandbox = await createAgentSandbox(script)
    mkdirSync(join(sandbox.cwd, 'src'))
    const loop = await sandbox.open()
    await loop.runTurn('clean up')
    await sandbox.hub.decline(loop.getPendingQuestion()?.id ?? '', { reason: 'we need it' })
    await loop.runTurn()
    expect(existsSync(join(sandbox.cwd, 'src'))).toBe(true)
    expect(resultsIn(sandbox.server.log[1] as never)[0]).toContain('we need it')
  })
})
