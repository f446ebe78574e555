import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createAgentSandbox } from './harness.ts'

it('claude asks Beckon for permission, and what an approval over MCP allows, its shell runs', async () => {
  const sandbox = await createAgentSandbox()
  const agent = await sandbox.agent('claude')
  execFileSync('git', ['init', '-q', agent.cwd])
  const notes = join(agent.cwd, 'notes')
  writeFileSync(notes, '')
  const questions = [{ question: 'Which db?', header: 'DB', options: [option('SQLite'), option('Postgres')] }]
  const idIn = (text: string) => /req_\w+/.exec(text)?.[0] ?? ''
  const running = await agent.start({
    prompt: 'Push and clean up',
    mcp: { args: ['--permission-host'] },
    // Its shell must find the same hub.
    env: { BECKON_HOME: sandbox.home },
    args: ['--permission-prompt-tool', 'mcp__beckon__permission'],
    turns: [
      ({ shell }) => shell('git push --force'),
      ({ tool }) => tool('AskUserQuestion', { questions: questions.map(one => ({ ...one, multiSelect: false })) }),
      ({ mcp }) => mcp('approve', { command: 'git clean -fdx', why: 'Start afresh' }),
      ({ shell, results }) => shell(`beckon approve --resume ${idIn(results.at(-1) ?? '')}`),
    ],
  })
  const push = await sandbox.pending('git push --force', running)
  expect(push).toMatchObject({ agent: { name: 'claude-code', cwd: agent.cwd } })
  await sandbox.hub.answer(push.id, { value: 'yes', edited: { command: 'echo pushed gently' } })
  const question = await sandbox.pending('Which db?', running)
  await sandbox.hub.answer(question.id, { value: 'SQLite' })
  const clean = await sandbox.pending('git clean -fdx', running)
  expect([clean.session, question.session]).toEqual([push.session, push.session])
  await sandbox.hub.answer(clean.id, { value: 'yes' })
  const { code, output } = await running.finished
  const results = running.results()
  expect(code, output).toBe(0)
  expect(results[0]).toContain('pushed gently')
  expect(results[1]).toContain('SQLite')
  expect(results[2]).toContain('"verdict":"allow"')
  expect(existsSync(notes), results[3]).toBe(false)
  expect((await sandbox.hub.get(clean.id)).usedAt).not.toBeNull()
  expect((await sandbox.hub.list()).requests).toEqual([])
})

function option(label: string) {
  return { label, description: label }
}
