import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../crash/random.ts'
import { startProcess } from '../setup/start-process.ts'
import { resultsIn, type Script } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'

const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
const firstText = (items: { type: string; text?: string }[]) => items[0]?.text ?? ''

/** A main agent that starts seven sub-agents; each asks a question and reports the answer. */
const seven: Script = seen => {
  const text = firstText(seen.items)
  const name = /^ask as (\w+)/.exec(text)?.[1]
  const results = resultsIn(seen)
  if (name) {
    if (results.length === 0) return { calls: [{ name: 'AskUserQuestion', input: { question: `What for ${name}?` } }] }
    return { text: `${name} got: ${results[0]}` }
  }
  if (results.length > 0) return { text: 'all are back' }
  return { calls: names.map(name => ({ name: 'Agent', input: { name, task: `ask as ${name}` } })) }
}

describe('sub-agents', () => {
  it('ask concurrently, and answers given by another process in any order reach their askers', async () => {
    const sandbox = await createAgentSandbox(seven)
    const loop = await sandbox.open()
    const order = shuffled(names)
    const answerer = startProcess(`${import.meta.dirname}/processes/answerer.ts`, [JSON.stringify(order)], {
      ...process.env,
      BECKON_HOME: sandbox.home,
    })
    const turn = await loop.runTurn('ask all', { wait: true })
    answerer.kill()
    expect(turn).toMatchObject({ status: 'done', text: 'all are back' })
    const last = sandbox.server.log.at(-1)
    expect(resultsIn(last as never)).toEqual(names.map(name => `${name} got: User answered: ${name}'s own answer`))
    expect(sandbox.server.violations).toEqual([])
    const { requests } = await sandbox.hub.list({ status: 'all' })
    expect(requests.map(({ agent }) => agent.path.join(' › ')).sort()).toEqual(
      names.map(name => `main › ${name}`).sort(),
    )
  })

  it('return all their questions at once, take answers by id, and survive a restart', async () => {
    const sandbox = await createAgentSandbox(seven)
    const first = await sandbox.open()
    expect(await first.runTurn('ask all')).toMatchObject({ status: 'waiting', questions: { length: 7 } })
    expect(sandbox.server.log).toHaveLength(8)
    first.close()
    const loop = await sandbox.open({ folder: first.folder })
    expect(loop.getPendingQuestions()).toHaveLength(7)
    for (const request of shuffled([...loop.getPendingQuestions()])) {
      await loop.answerQuestion(`${request.agent.path.at(-1)}'s own answer`, request.id)
    }
    expect(loop.isWaitingInput()).toBe(false)
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(resultsIn(sandbox.server.log.at(-1) as never)).toEqual(
      names.map(name => `${name} got: User answered: ${name}'s own answer`),
    )
    // One request each, one reply each after the answer, and the main agent's two: nothing was asked again.
    expect(sandbox.server.log).toHaveLength(16)
  })

  it('keep working when the caller stops waiting for a question of one of them', async () => {
    const stopWaiting = new AbortController()
    const sandbox = await createAgentSandbox(seen => {
      const results = resultsIn(seen)
      const text = firstText(seen.items)
      if (results.length > 0) return { text: `done: ${results[0]}` }
      if (text === 'ask') return { calls: [{ name: 'AskUserQuestion', input: { question: 'Which?' } }] }
      if (text === 'work')
        return { calls: [{ name: 'Bash', input: { command: 'while [ ! -e go ]; do sleep 0.01; done; echo worked' } }] }
      return { calls: ['ask', 'work'].map(task => ({ name: 'Agent', input: { name: task, task } })) }
    })
    const seen = new Set<string>()
    const loop = await sandbox.open({
      onEvent({ type, path }) {
        seen.add(`${path.at(-1)} ${type}`)
        if (!seen.has('ask asked') || !seen.has('work call') || stopWaiting.signal.aborted) return
        stopWaiting.abort()
        writeFileSync(join(sandbox.cwd, 'go'), '')
      },
    })
    expect(await loop.runTurn('go', { wait: true, stopWaiting: stopWaiting.signal })).toMatchObject({
      status: 'waiting',
      questions: [{ agent: { path: ['main', 'ask'] } }],
    })
    await loop.answerQuestion('left')
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(resultsIn(sandbox.server.log.at(-1) as never)).toEqual(['done: User answered: left', 'done: worked'])
  })

  it('nest at most three levels deep, and a nested question shows its whole path', async () => {
    const sandbox = await createAgentSandbox(seen => {
      const depth = Number(/depth (\d)/.exec(firstText(seen.items))?.[1] ?? 0)
      const results = resultsIn(seen)
      if (results.length > 0) return { text: `back from ${depth}: ${results[0]}` }
      if (!seen.tools.includes('Agent')) return { calls: [{ name: 'AskUserQuestion', input: { question: 'deep?' } }] }
      return { calls: [{ name: 'Agent', input: { name: `level ${depth + 1}`, task: `depth ${depth + 1}` } }] }
    })
    const loop = await sandbox.open()
    expect(await loop.runTurn('go')).toMatchObject({ question: { agent: { path: ['main', 'level 1', 'level 2'] } } })
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ text: 'back from 0: back from 1: back from 2: User answered: yes' })
  })
})

function shuffled<T>(list: readonly T[]): T[] {
  const random = createRandom(Date.now())
  const rest = [...list]
  return list.map(() => rest.splice(random.below(rest.length), 1)[0] as T)
}
