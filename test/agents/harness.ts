import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Request } from '../../src/protocol/index.ts'
import { type ModelServer, resultsIn, startModelServer } from '../agent/model-server.ts'
import { createSandbox, launcher, type Sandbox, until } from '../cli/sandbox.ts'
import { terminal } from '../cli/tmux.ts'
import { hasEnded, mark, startCleaner } from '../setup/marked-processes.ts'
import { claude, prepareClaude } from './drivers/claude.ts'
import { codex } from './drivers/codex.ts'
import type { Driver, McpServer, Place, Start } from './drivers/driver.ts'
import { gemini } from './drivers/gemini.ts'
import { opencode } from './drivers/opencode.ts'
import { scriptOf, type Turn } from './script.ts'

// Tests with the real agents: each runs as its users run it, with a home folder of its own and a scripted model, beside a
// hub that is not in its default place. Run them with `npm run test:agents`.
//
//   const sandbox = await createAgentSandbox()
//   const agent = await sandbox.agent('codex')          // folders of its own: agent.home, agent.cwd
//   const running = await agent.start({
//     prompt: 'Choose a database',
//     mcp: {},                                           // connected to `beckon mcp`
//     turns: [
//       ({ mcp }) => mcp('ask', { questions: [{ question: 'Which database?' }] }),
//       ({ results }) => ({ text: `I heard ${results.at(-1)}` }),
//     ],
//   })
//   const request = await sandbox.pending()              // waits for the question in the hub
//   await sandbox.answer(request.id, 'SQLite')           // `beckon answer`, as a person runs it; sandbox.run for others
//   const { code, output } = await running.finished      // ends with the agent; fails at the deadline
//   running.results()                                    // what the model saw of its tools
//
// `turns` are the replies of the model (script.ts). Start the same agent again to resume its session. Write files into
// agent.home and agent.cwd, or run `beckon setup` with `agent.env`, before the first start. `agent.open` runs Claude in a
// terminal. Everything ends with the test.

const drivers = { claude, codex, opencode, gemini }
export type Kind = keyof typeof drivers
export const kinds = Object.keys(drivers) as Kind[]

/** On a busy machine with two cores. */
const startTimeout = 80_000

export interface StartOptions {
  prompt: string
  turns: readonly Turn[]
  /** Connects `beckon mcp`; left out, the agent has the MCP servers of its configuration only. */
  mcp?: { args?: string[]; env?: Record<string, string>; limit?: number }
  /** More arguments for the agent's command line. */
  args?: string[]
  /** The content of its settings: an object, for Codex lines of TOML. Left out, what is there stays as it is. */
  config?: object | string
  env?: Record<string, string>
  /** After how many milliseconds the agent is ended and the test fails. */
  deadline?: number
}

export interface RunningAgent {
  pid: number
  model: ModelServer
  /** What it has written so far, on both streams. */
  output(): string
  /** The texts of the tool results that the model saw last. */
  results(): string[]
  /** Fails when the agent had to be ended at its deadline. */
  finished: Promise<{ code: number; output: string }>
  /** Ends it with everything that it started. */
  stop(): Promise<void>
}

export type AgentSandbox = Awaited<ReturnType<typeof createAgentSandbox>>

export async function createAgentSandbox() {
  const sandbox = await createSandbox()
  sandbox.atEnd(startCleaner(sandbox.root, []))
  let count = 0
  return { ...sandbox, agent, pending, answer }

  async function agent(kind: Kind) {
    count += 1
    const place = createPlace(join(sandbox.root, `${kind}-${count}`))
    drivers[kind].seed(place)
    const env = environmentOf(sandbox, place)
    return {
      ...place,
      env,
      start: (options: StartOptions) => startAgent(sandbox, drivers[kind], kind, place, env, options),
      open: (options: StartOptions) => openClaude(sandbox, place, env, options),
    }
  }

  /** Waits for a pending request, or for the one with this text; fails when the agent that should ask it ends. */
  async function pending(text = '', asker?: RunningAgent): Promise<Request> {
    let ended = false
    const end = () => {
      ended = true
    }
    asker?.finished.then(end, end)
    const isIt = (request: Request) => JSON.stringify(request).includes(text)
    const look = async () => (await sandbox.hub.list()).requests.find(isIt) ?? (ended ? 'ended' : null)
    const found = await until(look, `a request ${text}`, startTimeout)
    if (found === 'ended') throw new Error(`The agent ended without a request ${text}.\n${describe(asker)}`)
    return found
  }

  /** `beckon answer`, as a person runs it. */
  async function answer(id: string, value: string): Promise<void> {
    const { code, stderr } = await sandbox.run(['answer', id, value])
    if (code !== 0) throw new Error(`beckon answer ended with ${code}: ${stderr}`)
  }
}

function createPlace(folder: string): Place {
  const place = { home: join(folder, 'home'), cwd: join(folder, 'work') }
  for (const path of [place.home, place.cwd, join(folder, 'home/bin')]) mkdirSync(path, { recursive: true })
  symlinkSync(launcher, join(place.home, 'bin/beckon'))
  symlinkSync(process.execPath, join(place.home, 'bin/node'))
  return place
}

/** What a person's login shell would give it, and nothing of ours: the hub's place is not in it. */
function environmentOf({ root }: Sandbox, { home }: Place): Record<string, string> {
  // npm puts the programs of this clone first: an agent finds Beckon only where the test installed it.
  const others = (process.env.PATH ?? '').split(':').filter(folder => !existsSync(join(folder, 'beckon')))
  const path = [join(home, 'bin'), inject('agents'), ...others].join(':')
  return { HOME: home, PATH: path, LANG: 'C.UTF-8', TERM: 'xterm-256color', [mark]: root }
}

async function startAgent(
  sandbox: Sandbox,
  driver: Driver,
  kind: Kind,
  place: Place,
  env: Record<string, string>,
  options: StartOptions,
): Promise<RunningAgent> {
  const model = await startModel(sandbox, driver, options)
  const invocation = driver.prepare(place, startOf(sandbox, model, options))
  const child = spawn(join(inject('agents'), kind), invocation.args, {
    cwd: place.cwd,
    env: { ...env, ...invocation.env, ...options.env },
    // In a group of its own, which is ended as a whole.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      output += chunk
    })
  }
  const stop = () => stopGroup(child)
  sandbox.atEnd(stop)
  const { deadline = 60_000 } = options
  const timer = setTimeout(stop, deadline)
  const finished = once(child, 'close').then(([code, signal]) => {
    clearTimeout(timer)
    if (signal) throw new Error(`${kind} was ended (${signal}; its deadline is ${deadline} ms). It wrote:\n${output}`)
    return { code: code as number, output }
  })
  // A test that stops the agent need not look at its end.
  finished.catch(() => {})
  return {
    pid: child.pid ?? 0,
    model,
    output: () => output,
    results: () => lastResults(model),
    finished,
    stop,
  }
}

function describe(agent: RunningAgent | undefined): string {
  return `${agent?.model.violations.join('\n')}\nIt wrote:\n${agent?.output()}`
}

async function startModel(sandbox: Sandbox, driver: Driver, { turns }: StartOptions): Promise<ModelServer> {
  const missing = (tool: string) => model.violations.push(`${tool} was called and is not offered`)
  const model = await startModelServer(scriptOf(driver, turns, missing))
  sandbox.atEnd(() => model.close())
  return model
}

function startOf(sandbox: Sandbox, model: ModelServer, { prompt, mcp, args = [], config }: StartOptions): Start {
  return { prompt, model: model.url, mcp: mcp ? beckonMcp(sandbox, mcp) : null, args, config: config ?? null }
}

/** The hub's place is stated, since some hosts keep their environment from the server. */
function beckonMcp(
  { root, home }: Sandbox,
  { args = [], env = {}, limit }: NonNullable<StartOptions['mcp']>,
): McpServer {
  return {
    command: process.execPath,
    args: [launcher, 'mcp', ...args],
    env: { BECKON_HOME: home, [mark]: root, ...env },
    limit: limit ?? null,
  }
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'close')
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), 2_000)
  await ended
  clearTimeout(timer)
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, signal)
  } catch {
    // It has just ended.
  }
}

/** Claude in a real terminal: `shows`, `press`, `type` and `screen` as in test/cli/tmux.ts. */
async function openClaude(sandbox: Sandbox, place: Place, env: Record<string, string>, options: StartOptions) {
  const model = await startModel(sandbox, claude, options)
  const invocation = prepareClaude(place, startOf(sandbox, model, options))
  // `env -i` keeps the variables of this process out; the output goes to the terminal, not to the file of `terminal`.
  const variables = Object.entries({ ...env, ...invocation.env, ...options.env }).map(pair => pair.join('='))
  const program = [join(inject('agents'), 'claude'), '--permission-mode', 'manual', ...invocation.args]
  const command = ['-i', ...variables, 'sh', '-c', 'cd "$0" && exec "$@" >/dev/tty', place.cwd, ...program]
  const screen = terminal(sandbox, command, {}, { interpreter: 'env', columns: 120 })
  await screen.shows('❯')
  screen.write(options.prompt)
  await screen.shows(options.prompt)
  screen.press('Enter')
  return { ...screen, model, results: () => lastResults(model) }
}

function lastResults({ log }: ModelServer): string[] {
  return resultsIn(log.findLast(({ tools }) => tools.length > 0) ?? { items: [] })
}

export { until }
