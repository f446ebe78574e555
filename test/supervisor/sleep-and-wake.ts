import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../src/cli/context.ts'
import { agentEnvironment } from '../../src/cli/run/agent-environment.ts'
import { supervisorContext } from '../../src/cli/run/context.ts'
import { openHubAndStore } from '../../src/open-hub.ts'
import type { HubApi } from '../../src/protocol/index.ts'
import type { SupervisorContext } from '../../src/supervisor/context.ts'
import { endAll, processesOf } from '../../src/supervisor/processes/processes.ts'
import { runAgent } from '../../src/supervisor/run-agent.ts'
import type { RunSettings } from '../../src/supervisor/settings.ts'
import { inParallel } from './rounds.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')
// Writes a file each time that it gets an answer.
const script = 'x=$(beckon ask "Number $1?"); echo "$1 $x" >"got-$1-$$"'
const settings: RunSettings = {
  pause: 'stop',
  reply: 'raw',
  secrets: 'value',
  stdin: 'none',
  format: 'text',
  pty: null,
  nonce: null,
  timeout: null,
  sleepAfter: 1,
  resume: null,
}

/**
 * Puts `count` runs to sleep, answers half of them while no process runs and half with a running server, and checks that
 * each wakes once with its own answer.
 */
export async function sleepAndWake(count: number) {
  const root = mkdtempSync(join(tmpdir(), 'beckon-sleep-'))
  const env = { ...process.env, BECKON_HOME: join(root, 'home'), BECKON_USER: 'tester' }
  const { hub, sealer } = await openHubAndStore({ env })
  const faults: string[] = []
  let server: ChildProcess | null = null
  try {
    writeFileSync(join(root, 'agent.sh'), script)
    const numbers = Array.from({ length: count }, (_, i) => i)
    const began = performance.now()
    const ends = await inParallel(numbers, 8, number =>
      putToSleep(supervisorContext({ env }, hub, sealer), root, env, number),
    )
    const asleep = (performance.now() - began) / 1_000
    const awake = ends.filter(how => how !== 'asleep').length
    if (awake > 0) faults.push(`${awake} runs did not go to sleep`)
    const runs = await hub.runs.list({ limit: 1_000 })
    const processes = runs.flatMap(({ id }) => processesOf(id))
    if (processes.length > 0) faults.push(`${processes.length} processes of runs that sleep`)

    const open = await listPending(hub)
    const half = Math.floor(count / 2)
    const alone = await answer(hub, open.slice(0, half), count - half)
    server = spawn(process.execPath, [launcher, 'serve', '--port', '0'], { cwd: root, env, stdio: 'ignore' })
    const served = await answer(hub, open.slice(half), 0)
    const got = readdirSync(root).filter(name => name.startsWith('got-'))
    const lines = got.map(name => readFileSync(join(root, name), 'utf8').trim()).sort()
    const expected = numbers.map(number => `${number} answer ${number}`).sort()
    if (lines.join('\n') !== expected.join('\n')) {
      faults.push(`${lines.length} came back, ${new Set(lines).size} different ones`)
    }
    return { faults, asleep, alone, served }
  } finally {
    server?.kill('SIGTERM')
    for (const { id } of await hub.runs.list({ active: true })) await endAll(id, { grace: 100 })
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }
}

async function putToSleep(
  context: SupervisorContext,
  cwd: string,
  env: NodeJS.ProcessEnv,
  number: number,
): Promise<string> {
  const start = {
    command: ['bash', 'agent.sh', String(number)],
    name: `sleeper ${number}`,
    cwd,
    env: agentEnvironment({ env } as Context, context.home, settings),
    settings,
  }
  const signal = new AbortController().signal
  const { how } = await runAgent(context, start, {
    onOutput() {},
    announce() {},
    print() {},
    stop: signal,
    leave: signal,
  })
  return how
}

/** Answers the requests; returns the seconds until only `leftOver` runs are active. */
async function answer(
  hub: HubApi,
  requests: Awaited<ReturnType<typeof listPending>>,
  leftOver: number,
): Promise<number> {
  const began = performance.now()
  for (const { id, number } of requests) await hub.answer(id, { value: `answer ${number}` })
  for (;;) {
    const left = (await hub.runs.list({ active: true })).length
    if (left <= leftOver) return (performance.now() - began) / 1_000
    if (performance.now() - began > requests.length * 2_000 + 60_000) throw new Error(`${left} runs did not come back`)
    await sleep(250)
  }
}

async function listPending(hub: HubApi) {
  const { requests } = await hub.list({ limit: 1_000 })
  return requests.map(request => {
    const title = request.kind === 'question' ? (request.questions[0]?.question ?? '') : ''
    return { id: request.id, number: /Number (\d+)/.exec(title)?.[1] }
  })
}
