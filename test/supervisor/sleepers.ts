import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HubApi, openHub, type Run } from '../../src/index.ts'
import { endAll, processesOf } from '../../src/supervisor/processes.ts'
import { inParallel } from './rounds.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')
// Leaves a file for each time that it got past its question.
const script = 'x=$(beckon ask "Number $1?"); echo "$1 $x" >"got-$1-$$"'

/** Puts so many runs to sleep, answers them all, and sees each come back once with its own answer. */
export async function sleepAndWake(count: number, { withServer }: { withServer: boolean }) {
  const root = mkdtempSync(join(tmpdir(), 'beckon-sleep-'))
  const env = { ...process.env, BECKON_HOME: join(root, 'home'), BECKON_USER: 'tester' }
  const hub = await openHub({ env: { BECKON_HOME: env.BECKON_HOME, BECKON_USER: 'tester' } })
  const faults: string[] = []
  let server: ChildProcess | null = null
  try {
    writeFileSync(join(root, 'agent.sh'), script)
    const numbers = Array.from({ length: count }, (_, i) => i)
    const codes = await inParallel(numbers, 4, async number => {
      const args = ['run', '--sleep-after', '1ms', '--', 'bash', 'agent.sh', String(number)]
      const [code] = await once(
        spawn(process.execPath, [launcher, ...args], { cwd: root, env, stdio: 'ignore' }),
        'close',
      )
      return code
    })
    const awake = codes.filter(code => code !== 75).length
    if (awake > 0) faults.push(`${awake} runs did not go to sleep`)
    const runs = await allRuns(hub)
    const processes = runs.flatMap(({ id }) => processesOf(id))
    if (processes.length > 0) faults.push(`${processes.length} processes of runs that sleep`)

    const began = performance.now()
    if (withServer)
      server = spawn(process.execPath, [launcher, 'serve', '--port', '0'], { cwd: root, env, stdio: 'ignore' })
    for (const { id, number } of await open(hub)) await hub.answer(id, { value: `answer ${number}` })
    for (let left = count; left > 0; left = (await hub.listRuns({ active: true })).length) {
      if (performance.now() - began > count * 2_000 + 60_000) throw new Error(`${left} runs did not come back`)
      await sleep(250)
    }
    const seconds = (performance.now() - began) / 1_000
    const got = readdirSync(root).filter(name => name.startsWith('got-'))
    const lines = got.map(name => readFileSync(join(root, name), 'utf8').trim()).sort()
    const expected = numbers.map(number => `${number} answer ${number}`).sort()
    if (lines.join('\n') !== expected.join('\n'))
      faults.push(`${lines.length} came back, ${new Set(lines).size} different ones`)
    return { faults, seconds }
  } finally {
    server?.kill('SIGTERM')
    for (const { id } of await hub.listRuns({ active: true })) await endAll(id, { grace: 100 })
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }
}

async function allRuns(hub: HubApi): Promise<Run[]> {
  return hub.listRuns({ limit: 1_000 })
}

async function open(hub: HubApi) {
  const { requests } = await hub.list({ limit: 1_000 })
  return requests.map(request => {
    const title = request.kind === 'question' ? (request.questions[0]?.question ?? '') : ''
    return { id: request.id, number: /Number (\d+)/.exec(title)?.[1] }
  })
}
