import { expect, it } from 'vitest'
import { createAgentSandbox, kinds } from './harness.ts'

it('tells the sessions of real agents apart, whichever way they ask', { timeout: 150_000 }, async () => {
  const sandbox = await createAgentSandbox()
  const places = await Promise.all(kinds.map(async kind => ({ kind, agent: await sandbox.agent(kind) })))
  const [claude] = places
  // Two sessions of Claude in one directory.
  const all = claude ? [...places, claude] : places
  const runs = await Promise.all(
    all.map(async ({ kind, agent }, i) => {
      const shell = `From the shell of ${i}?`
      const mcp = `Over MCP from ${i}?`
      const running = await agent.start({
        prompt: `Ask twice (${i})`,
        mcp: {},
        args: kind === 'claude' ? ['--allowedTools', 'Bash,mcp__beckon'] : [],
        turns: [
          step => step.shell(`BECKON_HOME=${sandbox.home} beckon ask '${shell}' --async`),
          step => step.mcp('ask', { questions: [{ question: mcp }] }),
        ],
        deadline: 140_000,
      })
      return { kind, shell, mcp, running }
    }),
  )
  const sessions = await Promise.all(
    runs.map(async ({ kind, shell, mcp, running }) => {
      const [first, second] = [await sandbox.pending(shell), await sandbox.pending(mcp)]
      expect({ kind, session: first.session }).toEqual({ kind, session: expect.stringMatching(/\w/) })
      expect({ kind, session: second.session }).toEqual({ kind, session: first.session })
      await sandbox.answer(second.id, 'yes')
      await running.finished
      return first.session
    }),
  )
  expect(new Set(sessions).size).toBe(all.length)
})
