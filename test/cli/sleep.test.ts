import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesOf } from '../../src/supervisor/processes/processes.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

const question = String.raw`printf '[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, b]\n[/USER_QUESTION]\n'`

function script(sandbox: Sandbox, text: string): string[] {
  const file = join(sandbox.cwd, 'agent.sh')
  writeFileSync(file, `#!/bin/bash\n${text}\n`)
  return ['bash', file]
}

function lines(sandbox: Sandbox, name: string): string[] {
  return readFileSync(join(sandbox.cwd, name), 'utf8').split('\n').filter(Boolean)
}

async function runWithStatus(sandbox: Sandbox, status: string) {
  return until(
    async () => (await sandbox.hub.runs.list()).find(run => run.status === status),
    `a run that is ${status}`,
  )
}

describe('a run that sleeps', () => {
  it('ends its process, exits 75, and restarts with its earlier answers when the last one comes', async () => {
    const sandbox = await createRunSandbox()
    const command = script(
      sandbox,
      `first=$(beckon ask "First?" --option x --option y)\necho "first $first" >>log\n${question}\nread -r second\necho "second $second" >>log\n`,
    )
    const running = sandbox.start(['run', '--sleep-after', '4s', '--', ...command])
    const { id: first } = await sandbox.pending()
    expect((await sandbox.run(['answer', first, 'y'])).code).toBe(0)
    const second = await until(
      async () => (await sandbox.hub.list()).requests.find(request => request.id !== first),
      'the second question',
    )
    const { code, stderr } = await running.result
    expect(code).toBe(75)
    expect(stderr).toContain(`beckon answer ${second.id}`)
    const run = await runWithStatus(sandbox, 'asleep')
    expect(run).toMatchObject({ waiting: ['waiting_question'], pid: null })
    expect(processesOf(run.id)).toEqual([])

    expect((await sandbox.run(['answer', second.id, 'b'])).code).toBe(0)
    await runWithStatus(sandbox, 'completed')
    expect(lines(sandbox, 'log')).toEqual(['first y', 'first y', 'second b'])
    expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(2)
    expect((await sandbox.hub.get(second.id)).deliveredAt).not.toBeNull()
  })

  it('is resumed by --resume-command, with the answer as one argument', async () => {
    const sandbox = await createRunSandbox()
    const command = script(
      sandbox,
      `printf '%s\\n' "$#" "$@" >>log\n[ "$1" = resumed ] && exit 3\n${question}\nsleep 600`,
    )
    const [, file] = command
    const resume = `bash '${file}' resumed {answer} "the {requestId}"`
    const running = sandbox.start(['run', '--sleep-after', '100ms', '--resume-command', resume, '--', ...command])
    expect((await running.result).code).toBe(75)
    const { id } = await sandbox.pending()
    await sandbox.run(['answer', id, 'b'])
    expect(await runWithStatus(sandbox, 'failed')).toMatchObject({ exitCode: 3 })
    expect(lines(sandbox, 'log')).toEqual(['0', '3', 'resumed', 'b', `the ${id}`])
  })

  it('is not woken by one of two answers', async () => {
    const sandbox = await createRunSandbox()
    const command = script(
      sandbox,
      `beckon ask "Other?" --async >/dev/null\n${question}\nread -r x\necho "got $x" >>log`,
    )
    expect((await sandbox.run(['run', '--sleep-after', '100ms', '--', ...command])).code).toBe(75)
    const [one, two] = (await sandbox.hub.list()).requests
    await sandbox.run(['answer', one?.id ?? '', 'fine'])
    expect((await sandbox.hub.runs.list())[0]?.status).toBe('asleep')
    await sandbox.run(['answer', two?.id ?? '', 'a'])
    await runWithStatus(sandbox, 'completed')
    expect(lines(sandbox, 'log')).toEqual(['got a'])
  })

  it('ends when it is stopped', async () => {
    const sandbox = await createRunSandbox()
    expect(
      (await sandbox.run(['run', '--sleep-after', '100ms', '--', ...script(sandbox, `${question}\nread -r x`)])).code,
    ).toBe(75)
    const { id } = await sandbox.pending()
    const run = await runWithStatus(sandbox, 'asleep')
    expect((await sandbox.run(['runs', 'stop', run.id])).code).toBe(0)
    expect((await sandbox.hub.get(id)).status).toBe('cancelled')
    expect((await sandbox.hub.runs.get(run.id)).status).toBe('stopped')
  })

  it('wakes once with the right answer, for ten runs that leave no process while asleep', async () => {
    const sandbox = await createRunSandbox()
    const command = script(sandbox, `x=$(beckon ask "Number $1?"); echo "$1 $x" >"got-$1-$$"`)
    for (let i = 0; i < 10; i += 5) {
      const started = Array.from({ length: 5 }, (_, j) =>
        sandbox.run(['run', '--sleep-after', '1ms', '--', ...command, String(i + j)]),
      )
      const ends = await Promise.all(started)
      expect(
        ends.map(({ code }) => code),
        JSON.stringify(ends),
      ).toEqual([75, 75, 75, 75, 75])
    }
    const runs = await sandbox.hub.runs.list()
    expect(runs.map(({ status }) => status)).toEqual(Array(10).fill('asleep'))
    expect(runs.flatMap(({ id }) => processesOf(id))).toEqual([])
    const { requests } = await sandbox.hub.list()
    for (const request of requests) {
      const [, number] =
        /Number (\d+)/.exec(request.kind === 'question' ? (request.questions[0]?.question ?? '') : '') ?? []
      await sandbox.hub.answer(request.id, { value: `answer ${number}` })
    }
    await until(async () => (await sandbox.hub.runs.list({ active: true })).length === 0, 'all of them to end', 60_000)
    const got = readdirSync(sandbox.cwd).filter(name => name.startsWith('got-'))
    expect(got.map(name => lines(sandbox, name)[0]).sort()).toEqual(
      Array.from({ length: 10 }, (_, i) => `${i} answer ${i}`).sort(),
    )
  }, 120_000)
})
