import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { inject } from 'vitest'
import { resultsIn, startModelServer } from '../agent/model-server.ts'
import { terminal } from '../cli/tmux.ts'
import { opencode } from './drivers/opencode.ts'
import { type AgentSandbox, until } from './harness.ts'
import { scriptOf, type Turn } from './script.ts'

type Agent = Awaited<ReturnType<AgentSandbox['agent']>>

interface Options {
  turns: readonly Turn[]
  config: object
}

/** `opencode serve`, as editors use it: what it asks is answered over HTTP. */
export async function serveOpencode(sandbox: AgentSandbox, agent: Agent, options: Options) {
  const { model, env } = await prepare(sandbox, agent, options)
  const child = spawn(join(inject('agents'), 'opencode'), ['serve', '--port', '0'], { cwd: agent.cwd, env })
  sandbox.atEnd(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      output += chunk
    })
  }
  const url = await until(() => output.match(/http:\/\/[\d.]+:\d+/)?.[0], 'the address of opencode', 60_000)
  return {
    model,
    results: () => resultsIn(model.log.findLast(({ tools }) => tools.length > 0) ?? { items: [] }),
    /** What waits in its own dialogs: `permission` or `question`. */
    open: async (what: string) => (await (await fetch(`${url}/${what}`)).json()) as { id: string }[],
    post,
    async prompt(text: string) {
      const { id } = (await (await post('/session', {})).json()) as { id: string }
      await post(`/session/${id}/prompt_async`, { parts: [{ type: 'text', text }] })
      return id
    },
  }

  function post(path: string, body: object) {
    const headers = { 'content-type': 'application/json' }
    return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
}

/** opencode in a real terminal. */
export async function openOpencode(sandbox: AgentSandbox, agent: Agent, options: Options) {
  const { model, env } = await prepare(sandbox, agent, options)
  const clean = ['-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const program = [join(inject('agents'), 'opencode'), '--prompt', 'Go on']
  const command = [...clean, 'sh', '-c', 'exec "$@" >/dev/tty', 'sh', ...program]
  const screen = terminal({ ...sandbox, cwd: agent.cwd }, command, {}, { interpreter: 'env', columns: 120 })
  return {
    ...screen,
    model,
    results: () => resultsIn(model.log.findLast(({ tools }) => tools.length > 0) ?? { items: [] }),
  }
}

async function prepare(sandbox: AgentSandbox, agent: Agent, { turns, config }: Options) {
  const model = await startModelServer(scriptOf(opencode, turns))
  sandbox.atEnd(() => model.close())
  const start = { prompt: '', model: model.url, mcp: null, args: [], config }
  return { model, env: { ...agent.env, ...opencode.prepare(agent, start).env } }
}
