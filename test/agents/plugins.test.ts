import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { hookCommand, hookTimeout } from '../../src/setup/hook-command.ts'
import { launcher } from '../cli/sandbox.ts'
import { type AgentSandbox, createAgentSandbox, until } from './harness.ts'

const folder = join(import.meta.dirname, '../../plugins')
type Agent = Awaited<ReturnType<AgentSandbox['agent']>>

it('installs as a plugin of Claude, whose hooks and tools ask, beside hooks of setup, and uninstalls', async () => {
  const sandbox = await createAgentSandbox()
  const agent = await sandbox.agent('claude')
  const marked = (name: string) => existsSync(join(agent.cwd, name))
  const claude = (...args: string[]) => run(agent, 'claude', ['plugin', ...args])
  claude('marketplace', 'add', join(folder, 'claude'))
  claude('install', 'beckon@beckon')
  const settings = join(agent.home, '.claude/settings.json')
  const installed = JSON.parse(readFileSync(settings, 'utf8'))
  const command = hookCommand({
    agent: 'claude',
    node: process.execPath,
    beckon: launcher,
    env: { BECKON_HOME: sandbox.home },
  })
  const hooks = {
    PreToolUse: [
      {
        matcher: 'Bash|Monitor|PowerShell',
        hooks: [{ type: 'command', command, timeout: hookTimeout, onFailure: 'block' }],
      },
    ],
  }

  const running = await agent.start({
    prompt: 'Go on',
    args: ['--allowedTools', 'Bash,mcp__plugin_beckon_beckon__ask'],
    config: { ...installed, hooks },
    env: { BECKON_HOME: sandbox.home },
    turns: [
      ({ tool }) => tool('mcp__plugin_beckon_beckon__ask', { questions: [{ question: 'Which database?' }] }),
      ({ shell }) => shell('echo once >> ran; git push --force'),
    ],
  })
  const question = await pending(sandbox)
  expect(question).toMatchObject({ kind: 'question', agent: { name: 'claude-code' } })
  await sandbox.run(['answer', question.id, 'SQLite'])
  const approval = await pending(sandbox)
  expect(running.results().at(-1)).toContain('SQLite')
  expect(approval).toMatchObject({ kind: 'approval' })
  await sandbox.run(['answer', approval.id, 'yes'])
  const { output } = await running.finished
  expect(marked('ran'), `${output}\n${running.results()}`).toBe(true)
  expect(readFileSync(join(agent.cwd, 'ran'), 'utf8')).toBe('once\n')
  expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(2)

  // Without Beckon, the plugin's hook blocks.
  writeFileSync(settings, JSON.stringify(installed))
  rmSync(join(agent.home, 'bin/beckon'))
  const blocked = await agent.start({
    prompt: 'Go on',
    args: ['--allowedTools', 'Bash'],
    turns: [({ shell }) => shell('touch without-beckon')],
  })
  await blocked.finished
  expect(blocked.results().at(-1)).toContain('Beckon did not answer')
  expect(marked('without-beckon')).toBe(false)

  claude('uninstall', 'beckon@beckon')
  claude('marketplace', 'remove', 'beckon')
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ extraKnownMarketplaces: {}, enabledPlugins: {} })
})

it('links as an extension of Gemini, whose hook and tools ask, and uninstalls', async () => {
  const sandbox = await createAgentSandbox()
  const agent = await sandbox.agent('gemini')
  const marked = (name: string) => existsSync(join(agent.cwd, name))
  mkdirSync(join(agent.home, '.gemini'), { recursive: true })
  run(agent, 'gemini', ['extensions', 'link', join(folder, 'gemini'), '--consent'])
  const running = await agent.start({
    prompt: 'Go on',
    env: { BECKON_HOME: sandbox.home },
    turns: [
      ({ mcp }) => mcp('ask', { questions: [{ question: 'Which database?' }] }),
      ({ shell }) => shell('echo once >> ran; git push --force'),
    ],
  })
  const question = await pending(sandbox)
  expect(question).toMatchObject({ kind: 'question', agent: { name: 'gemini' } })
  await sandbox.run(['answer', question.id, 'SQLite'])
  const approval = await pending(sandbox)
  expect(running.results().at(-1)).toContain('SQLite')
  await sandbox.run(['answer', approval.id, 'yes'])
  const { output } = await running.finished
  expect(marked('ran'), output).toBe(true)
  expect(JSON.stringify(running.model.log)).toContain('You can ask a person through the tools')

  rmSync(join(agent.home, 'bin/beckon'))
  const blocked = await agent.start({ prompt: 'Go on', turns: [({ shell }) => shell('touch without-beckon')] })
  await blocked.finished
  expect(blocked.results().at(-1)).toContain('Beckon did not answer')
  expect(marked('without-beckon')).toBe(false)

  run(agent, 'gemini', ['extensions', 'uninstall', 'beckon'])
  expect(existsSync(join(agent.home, '.gemini/extensions/beckon'))).toBe(false)
  expect(existsSync(join(folder, 'gemini/gemini-extension.json'))).toBe(true)
})

/** A command of the agent, as a person types it. */
function run(agent: Agent, program: string, args: string[]) {
  const env = {
    ...agent.env,
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    GEMINI_API_KEY: 'dummy',
  }
  const { status, stdout, stderr } = spawnSync(join(inject('agents'), program), args, {
    cwd: agent.cwd,
    env,
    timeout: 60_000,
    encoding: 'utf8',
  })
  expect(status, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
}

/** An agent takes its time on a busy machine. */
function pending({ hub }: AgentSandbox) {
  return until(async () => (await hub.list()).requests[0], 'a pending request', 120_000)
}
