import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesOf } from '../../src/supervisor/processes/processes.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

// The agent counts its starts in the file "starts". Its first start asks; each test says what the later ones do.

const block = String.raw`printf '[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, b]\n[/USER_QUESTION]\n'; read -r x`
const ask = 'x=$(beckon ask "Which one?" --option a --option b) || exit 1'

/** Starts an agent that falls asleep while it asks. */
async function fallAsleep(
  sandbox: Sandbox,
  { later, door = block, resume = [] as string[] }: { later: string; door?: string; resume?: string[] },
) {
  const file = join(sandbox.cwd, 'agent.sh')
  writeFileSync(
    file,
    `echo x >>starts\nn=$(wc -l <starts)\nif [ $n -gt 1 ]; then\n${later}\nfi\n${door}\necho "got $x" >>log\n`,
  )
  const ended = await sandbox.run(['run', '--sleep-after', '100ms', ...resume, '--', 'bash', file])
  expect(ended.code).toBe(75)
  const request = await sandbox.pending()
  return { request, run: request.run ?? '' }
}

function lines(sandbox: Sandbox, name: string): string[] {
  try {
    return readFileSync(join(sandbox.cwd, name), 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

async function untilEnded(sandbox: Sandbox, run: string) {
  return until(
    async () => {
      const found = await sandbox.hub.runs.get(run)
      return found.endedAt === null ? null : found
    },
    'the end of the run',
    30_000,
  )
}

describe('a woken run whose agent alone is killed', () => {
  it.each([
    ['before it prints its block again', block],
    ['before it asks by command again', ask],
  ])('is brought back until it has its answer: %s', async (_, door) => {
    const sandbox = await createRunSandbox()
    const { request, run } = await fallAsleep(sandbox, { door, later: '[ $n -lt 4 ] && kill -9 $$' })
    await sandbox.run(['answer', request.id, 'b'])
    expect(await untilEnded(sandbox, run)).toMatchObject({ status: 'completed' })
    expect(lines(sandbox, 'log')).toEqual(['got b'])
    expect(lines(sandbox, 'starts')).toHaveLength(4)
  })

  it.each([
    ['{answer}', 'echo "got $2" >>log; exit 0'],
    ['{requestId}', ''],
  ])('is brought back until its resume command has its answer: %s', async (placeholder, rest) => {
    const sandbox = await createRunSandbox()
    const { request, run } = await fallAsleep(sandbox, {
      later: `[ $n -lt 4 ] && kill -9 $$\n${rest}`,
      resume: ['--resume-command', `bash agent.sh resumed ${placeholder}`],
    })
    await sandbox.run(['answer', request.id, 'b'])
    expect(await untilEnded(sandbox, run)).toMatchObject({ status: 'completed' })
    expect(lines(sandbox, 'log')).toEqual(['got b'])
    expect((await sandbox.hub.get(request.id)).deliveredAt).not.toBeNull()
  })

  it('fails after five starts, and says where its answer is', async () => {
    const sandbox = await createRunSandbox()
    const { request, run } = await fallAsleep(sandbox, { later: 'kill -9 $$' })
    await sandbox.run(['answer', request.id, 'b'])
    expect(await untilEnded(sandbox, run)).toMatchObject({ status: 'failed', exitCode: 137 })
    expect(lines(sandbox, 'starts')).toHaveLength(6)
    const events = await sandbox.hub.events()
    expect(events.find(({ type }) => type === 'run.failed')?.data.reason).toMatch(
      new RegExp(`started 5 times.*beckon show ${request.id}`),
    )
    expect((await sandbox.run(['show', request.id])).stdout).toMatch(/answer\s+b/)
  }, 60_000)
})

describe('a woken run', () => {
  it.each(['agent', 'supervisor', 'holder', 'agent and supervisor', 'everything'])(
    'takes its answer when this is killed before it asks again: %s',
    async victim => {
      const sandbox = await createRunSandbox()
      const { request, run } = await fallAsleep(sandbox, {
        later: 'echo $$ >pid\nwhile [ $n = 2 ] && [ ! -e go ]; do sleep 0.05; done',
      })
      await sandbox.run(['answer', request.id, 'b'])
      const agent = Number(await until(() => lines(sandbox, 'pid')[0], 'the woken agent'))
      const holder = parentOf(agent)
      // A supervisor that has not taken over yet would not be killed.
      const supervisor = await until(() => supervisorOf(sandbox, run, holder), 'its supervisor')
      const all = [supervisor, holder, ...processesOf(run)]
      const victims: Record<string, number[]> = {
        agent: [agent],
        supervisor: [supervisor],
        holder: [holder],
        'agent and supervisor': [supervisor, agent],
        everything: all,
      }
      for (const pid of new Set(victims[victim])) kill(pid)
      // Without its holder the agent reads nothing any more: its supervisor ends it before it could go on without an answer.
      if (victim === 'holder') await until(() => !isAlive(agent), 'the end of its agent')
      writeFileSync(join(sandbox.cwd, 'go'), '')
      // Whoever looks next brings back what nobody looks after.
      await sandbox.run(['runs'])
      expect(await untilEnded(sandbox, run)).toMatchObject({ status: 'completed', reason: null })
      expect(lines(sandbox, 'log')).toEqual(['got b'])
      expect((await sandbox.hub.get(request.id)).deliveredAt).not.toBeNull()
    },
    60_000,
  )

  it('whose agent is left alone by its holder as it starts ends that agent, and takes its answer', async () => {
    const sandbox = await createRunSandbox()
    // Its supervisor may not be connected yet: then nobody is told.
    const { request, run } = await fallAsleep(sandbox, {
      later: 'if [ $n = 2 ]; then kill -9 $PPID; echo $$ >pid; exec sleep 300; fi',
    })
    await sandbox.run(['answer', request.id, 'b'])
    const agent = Number(await until(() => lines(sandbox, 'pid')[0], 'the woken agent'))
    await until(() => !isAlive(agent), 'the end of its agent')
    await sandbox.run(['runs'])
    expect(await untilEnded(sandbox, run)).toMatchObject({ status: 'completed', reason: null })
    expect(lines(sandbox, 'log')).toEqual(['got b'])
  }, 60_000)
})

function parentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
}

/** The process that woke the run, once it is connected. */
function supervisorOf(sandbox: Sandbox, run: string, holder: number): number | null {
  const saved = JSON.parse(readFileSync(join(sandbox.home, 'runs', run, 'settings.json'), 'utf8'))
  const pid = saved.supervisor?.pid ?? null
  return pid !== null && pid !== holder && isAlive(pid) ? pid : null
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with another one.
  }
}
