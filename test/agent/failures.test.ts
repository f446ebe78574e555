import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resultsIn, type Script } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'

const read = (path: string) => ({ calls: [{ name: 'Read', input: { path } }] })

describe('a failure', () => {
  it('is returned to the model with a hint, and the same failing call does not run a fourth time', async () => {
    const sandbox = await createAgentSandbox((_, count) => (count <= 5 ? read('nowhere.txt') : { text: 'I give up.' }))
    const loop = await sandbox.open()
    expect(await loop.runTurn('read it')).toMatchObject({ status: 'done' })
    const results = resultsIn(sandbox.server.log.at(-1) as never)
    expect(results.slice(0, 3)).toEqual(
      Array(3).fill('Error: nowhere.txt does not exist.\nHint: Look for it with Glob.'),
    )
    expect(results[3]).toContain('failed 3 times and is not run again')
    expect(sandbox.events.filter(({ type }) => type === 'call')).toHaveLength(3)
  })

  it('can be retried after a file has changed', async () => {
    const replies = [
      ...Array(3).fill(read('late.txt')),
      { calls: [{ name: 'Write', input: { path: 'late.txt', content: 'here\n' } }] },
      read('late.txt'),
    ]
    const sandbox = await createAgentSandbox((_, count) => replies[count - 1] ?? { text: 'Found.' })
    await (await sandbox.open()).runTurn('read it')
    expect(resultsIn(sandbox.server.log.at(-1) as never).at(-1)).toContain('here')
  })

  it.each([
    ['an unknown tool', { name: 'Teleport', input: {} }, /There is no tool Teleport[\s\S]*The tools are: Read, Write/],
    ['a missing field', { name: 'Read', input: {} }, /The input of Read is invalid:\n- path: /],
    ['one option', { name: 'AskUserQuestion', input: { question: 'x?', options: ['only'] } }, /at least 2 options/],
    [
      'eleven options',
      { name: 'AskUserQuestion', input: { question: 'x?', options: [...'abcdefghijk'] } },
      /at most 10 options/,
    ],
    [
      'the same option twice',
      { name: 'AskUserQuestion', input: { question: 'x?', options: ['a', 'a'] } },
      /same option twice/,
    ],
    ['no question', { name: 'AskUserQuestion', input: {} }, /either question, questions or replyTo/],
    ['an empty question', { name: 'AskUserQuestion', input: { question: '  ' } }, /question/],
  ])('in a tool call is reported to the model: %s', async (_, call, message) => {
    const sandbox = await createAgentSandbox((_, count) => (count === 1 ? { calls: [call] } : { text: 'ok' }))
    expect(await (await sandbox.open()).runTurn('go')).toMatchObject({ status: 'done' })
    expect(resultsIn(sandbox.server.log[1] as never)[0]).toMatch(message)
    expect((await sandbox.hub.list()).requests).toEqual([])
  })

  it('of the provider that is temporary is retried and shown: rate limits, overload', async () => {
    const sandbox = await createAgentSandbox((_, count) => {
      if (count === 1) return { status: 429, text: 'slow down', headers: { 'retry-after': '7' } }
      if (count === 2) return { status: 529, text: 'Overloaded' }
      return { text: 'Here I am.' }
    })
    const waits: number[] = []
    const loop = await sandbox.open({ sleep: async ms => void waits.push(ms) })
    expect(await loop.runTurn('hello')).toMatchObject({ status: 'done', text: 'Here I am.' })
    expect(waits).toEqual([7_000, 2_000])
    expect(sandbox.events.filter(({ type }) => type === 'retry')).toMatchObject([
      { attempt: 1, why: 'slow down (HTTP 429)' },
      { attempt: 2 },
    ])
  })

  it('of the provider that is permanent ends the turn and keeps the conversation for later', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { status: 401, text: 'bad key' } : { text: 'Better.' },
    )
    const loop = await sandbox.open()
    expect(await loop.runTurn('hello')).toEqual({ status: 'failed', needsInput: false, error: 'bad key (HTTP 401)' })
    expect(await loop.runTurn()).toMatchObject({ status: 'done', text: 'Better.' })
    expect(sandbox.server.log[1]?.items).toEqual([{ type: 'user', text: 'hello' }])
  })

  it('of the provider that lasts ends the turn after six attempts', async () => {
    const sandbox = await createAgentSandbox(() => ({ status: 503, text: 'down' }))
    expect(await (await sandbox.open()).runTurn('hello')).toMatchObject({ status: 'failed' })
    expect(sandbox.server.log).toHaveLength(6)
  })
})

describe('a turn', () => {
  it('stops at its limit, reports that, and can be continued', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count <= 5 ? { calls: [{ name: 'Glob', input: { pattern: `*${count}` } }] } : { text: 'End.' },
    )
    const loop = await sandbox.open({ maxTurns: 3 })
    expect(await loop.runTurn('go')).toMatchObject({ status: 'limit', needsInput: false })
    expect(sandbox.server.log).toHaveLength(3)
    expect(await loop.runTurn()).toMatchObject({ status: 'done', text: 'End.' })
    expect(sandbox.server.violations).toEqual([])
  })

  it('calls the model at most 20 times by default', async () => {
    const sandbox = await createAgentSandbox((_, count) => ({
      calls: [{ name: 'Glob', input: { pattern: `*${count}` } }],
    }))
    expect(await (await sandbox.open()).runTurn('go')).toMatchObject({ status: 'limit' })
    expect(sandbox.server.log).toHaveLength(20)
  })

  it('can be required to start with a tool call', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Glob', input: { pattern: '*' } }] } : { text: 'End.' },
    )
    await (await sandbox.open({ toolChoice: 'first' })).runTurn('go')
    expect(sandbox.server.log.map(({ toolChoice }) => toolChoice)).toMatchObject([{ type: 'any' }, { type: 'auto' }])
  })

  it('keeps the text received so far when it is interrupted', async () => {
    const stop = new AbortController()
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { text: 'a long story '.repeat(50), pause: 5 } : { text: 'Fine.' },
    )
    const loop = await sandbox.open({ onEvent: event => event.type === 'text' && stop.abort() })
    expect(await loop.runTurn('tell', { signal: stop.signal })).toMatchObject({ status: 'interrupted' })
    expect(await loop.runTurn('short, please')).toMatchObject({ status: 'done', text: 'Fine.' })
    expect(sandbox.server.log[1]?.items).toMatchObject([
      { type: 'user' },
      { type: 'assistant', text: expect.stringMatching(/^a long story/) },
      { type: 'user', text: 'short, please' },
    ])
  })

  it('gives every call a result when it is interrupted between calls', async () => {
    const stop = new AbortController()
    const script: Script = (_, count) =>
      count === 1
        ? { calls: ['sleep 30', 'echo second > second'].map(command => ({ name: 'Bash', input: { command } })) }
        : { text: 'Fine.' }
    const sandbox = await createAgentSandbox(script)
    const loop = await sandbox.open({ onEvent: event => event.type === 'call' && setTimeout(() => stop.abort(), 50) })
    expect(await loop.runTurn('go', { signal: stop.signal })).toMatchObject({ status: 'interrupted' })
    await loop.runTurn('and now?')
    expect(sandbox.server.violations).toEqual([])
    expect(resultsIn(sandbox.server.log[1] as never)).toMatchObject([
      expect.stringContaining('the user interrupted it'),
      expect.stringContaining('Not run'),
    ])
  })

  it('runs the calls before a question at once, and the calls after it when it is answered', async () => {
    const bash = (name: string) => ({ name: 'Bash', input: { command: `echo ${name} >> log` } })
    const ask = (question: string) => ({ name: 'AskUserQuestion', input: { question } })
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [bash('before'), ask('one?'), ask('two?'), bash('after')] } : { text: 'ok' },
    )
    writeFileSync(join(sandbox.cwd, 'log'), '')
    const loop = await sandbox.open()
    expect(await loop.runTurn('go')).toMatchObject({ status: 'waiting', questions: { length: 2 } })
    const log = () => readFileSync(join(sandbox.cwd, 'log'), 'utf8')
    expect(log()).toBe('before\n')
    const [one, two] = loop.getPendingQuestions()
    await loop.answerQuestion('2', two?.id)
    expect(await loop.runTurn()).toMatchObject({
      status: 'waiting',
      question: { id: one?.id },
      questions: { length: 1 },
    })
    expect(log()).toBe('before\n')
    await loop.answerQuestion('1')
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(log()).toBe('before\nafter\n')
    expect(resultsIn(sandbox.server.log[1] as never)).toEqual([
      '(no output)',
      'User answered: 1',
      'User answered: 2',
      '(no output)',
    ])
    const events = await sandbox.hub.events()
    expect(events.filter(({ type }) => type === 'request.delivered')).toHaveLength(2)
  })

  it('refuses an invalid answer, and tells the model the outcome: answered with a note, declined, cancelled', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count <= 3
        ? {
            calls: [
              {
                name: 'AskUserQuestion',
                input: { question: `q${count}?`, options: ['a', 'b', 'c'], multiSelect: count === 1 },
              },
            ],
          }
        : { text: 'ok' },
    )
    const loop = await sandbox.open()
    await loop.runTurn('go')
    await expect(loop.answerQuestion('d')).rejects.toMatchObject({ code: 'invalid' })
    await expect(loop.answerQuestion('')).rejects.toMatchObject({ code: 'invalid' })
    expect(loop.isWaitingInput()).toBe(true)
    await loop.answerQuestion({ value: ['a', 'c'], note: 'in this order' })
    await loop.runTurn()
    await sandbox.hub.decline(loop.getPendingQuestion()?.id ?? '', { reason: 'none of your business' })
    await loop.runTurn()
    await sandbox.hub.cancel(loop.getPendingQuestion()?.id ?? '')
    await loop.runTurn()
    expect(resultsIn(sandbox.server.log.at(-1) as never)).toEqual([
      'User selected: a, c\nNote from the user: in this order',
      'The user declined to answer: none of your business. Do not ask it again.',
      'The question was withdrawn before anybody answered. Do not assume an answer.',
    ])
  })
})
