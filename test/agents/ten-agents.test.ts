import { expect, it } from 'vitest'
import { createAgentSandbox, type Kind, kinds } from './harness.ts'

const mix: Kind[] = [...kinds, ...kinds, 'claude', 'codex']

it('brings the answers of one person to ten agents of four kinds, in any order', { timeout: 180_000 }, async () => {
  const sandbox = await createAgentSandbox()
  const agents = await Promise.all(
    mix.map(async (kind, i) => {
      const question = `What is the word for ${kind} ${i}?`
      const agent = await sandbox.agent(kind)
      const running = await agent.start({
        prompt: `Ask for the word of ${kind} ${i}`,
        mcp: {},
        turns: [
          ({ mcp }) => mcp('ask', { questions: [{ question }] }),
          ({ results }) => ({ text: `My word is ${/word-\d+/.exec(results.at(-1) ?? '')?.[0]}.` }),
        ],
        deadline: 170_000,
      })
      return { kind, question, running, word: `word-${i}` }
    }),
  )

  // All of them wait at the same time before the first is answered.
  const open = await Promise.all(agents.map(({ question, running }) => sandbox.pending(question, running)))
  expect(new Set(open.map(({ id }) => id)).size).toBe(10)
  const order = agents.map((agent, i) => ({ ...agent, id: open[i]?.id ?? '' })).sort(() => Math.random() - 0.5)
  for (const { id, word } of order) await sandbox.answer(id, word)

  for (const { kind, running, word } of agents) {
    const { code, output } = await running.finished
    expect({ kind, code, said: output.match(/My word is [\w-]+/)?.[0] }, output).toEqual({
      kind,
      code: 0,
      said: `My word is ${word}`,
    })
    expect(running.model.violations).toEqual([])
  }
  expect((await sandbox.hub.list({ status: 'pending' })).requests).toEqual([])
})
