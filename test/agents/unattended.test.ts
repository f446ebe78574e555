import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hookCommand } from '../../src/setup/hook-command.ts'
import { launcher } from '../cli/sandbox.ts'
import { createAgentSandbox, until } from './harness.ts'

it.each(['codex', 'gemini'] as const)(
  '%s is denied with a ticket, asks again, and runs once what a person made of it',
  async kind => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent(kind)
    const log = join(agent.cwd, 'log')
    const args = ['--wait', '1s']
    const env = { BECKON_HOME: sandbox.home }
    const command = hookCommand({ agent: kind, node: process.execPath, beckon: launcher, env, args })
    const running = await agent.start({
      prompt: 'Push',
      ...configured(),
      turns: Array.from({ length: 12 }, () => ({ shell }) => {
        return existsSync(log) ? { text: 'Pushed.' } : shell(`echo mine >>log; git push --force origin main`)
      }),
    })

    const { id } = await until(async () => (await sandbox.hub.list()).requests[0], 'the request', 60_000)
    await until(() => running.results().some(result => result.includes(id)), 'the ticket', 30_000)
    await sandbox.hub.answer(id, { answers: [{ selected: ['yes'] }], edited: { command: 'echo changed >>log' } })
    await running.finished

    expect(readFileSync(log, 'utf8')).toBe('changed\n')
    const { requests } = await sandbox.hub.list({ status: 'all' })
    expect(requests.map(one => ({ id: one.id, used: one.usedAt !== null }))).toEqual([{ id, used: true }])

    function configured() {
      const hook = { type: 'command', command }
      if (kind === 'gemini') return { config: { hooks: { BeforeTool: [{ hooks: [{ ...hook, timeout: 60_000 }] }] } } }
      mkdirSync(join(agent.home, '.codex'), { recursive: true })
      const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ ...hook, timeout: 60 }] }] }
      writeFileSync(join(agent.home, '.codex/hooks.json'), JSON.stringify({ hooks }))
      return { args: ['--dangerously-bypass-hook-trust'] }
    }
  },
)
