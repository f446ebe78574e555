import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type AgentEvent, AgentLoop, type AgentOptions, type Classify, chooseModel } from '../../src/agent/index.ts'
import { openHub } from '../../src/open-hub.ts'
import { type ModelServer, type Script, startModelServer } from './model-server.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const classifyForTests: Classify = command => ({
  verdict: /rm -rf|DROP TABLE/.test(command) ? 'ask' : 'allow',
  severity: 'high',
  reasons: /rm -rf/.test(command) ? [{ rule: 'test.rm', message: 'deletes a folder', span: [0, command.length] }] : [],
  safer: null,
})

/** A workspace, a hub, and a scripted model. */
export async function createAgentSandbox(script: Script, { model = 'anthropic/scripted' } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-agent-')))
  const home = join(root, 'home')
  const cwd = mkdtempSync(join(root, 'work-'))
  const server: ModelServer = await startModelServer(script)
  const hub = await openHub({ env: { BECKON_HOME: home, BECKON_USER: 'person' }, caller: { directory: cwd } })
  const events: AgentEvent[] = []
  cleanups.push(async () => {
    await hub.close()
    await server.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { root, home, cwd, server, hub, events, open }

  async function open(more: Partial<AgentOptions> = {}): Promise<AgentLoop> {
    const loop = await AgentLoop.open({
      hub,
      home,
      cwd,
      model: chooseModel(model, server.env),
      classify: classifyForTests,
      sleep: async () => {},
      onEvent: event => events.push(event),
      ...more,
    })
    cleanups.push(() => loop.close())
    return loop
  }
}
