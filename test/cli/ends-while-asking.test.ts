import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

const question = String.raw`printf '[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, b]\n[/USER_QUESTION]\n'`

function script(sandbox: Sandbox, text: string): string[] {
  const file = join(sandbox.cwd, 'agent.sh')
  writeFileSync(file, `#!/bin/bash\n${text}\n`)
  return ['bash', file]
}

async function theRequest(sandbox: Sandbox) {
  return until(async () => (await sandbox.hub.list({ status: 'all' })).requests[0], 'a request')
}

describe('an agent that ends while it asks, in a run that cannot come back', () => {
  it.each([
    ['exit 0', 13, 'exit code 0'],
    ['exit 3', 3, 'exit code 3'],
    ['kill -9 $$', 137, 'SIGKILL'],
  ])('makes "beckon run" say why its question was withdrawn, and not exit 0: %s', async (end, code, why) => {
    const sandbox = await createRunSandbox()
    const ended = await sandbox.run(['run', '--', ...script(sandbox, `${question}\n${end}`)])
    const request = await theRequest(sandbox)
    expect(ended.stderr).toContain(`${request.id} was withdrawn`)
    expect(ended.stderr).toContain(why)
    expect(ended.code).toBe(code)
    expect(request).toMatchObject({ status: 'orphaned', outcome: { reason: expect.stringContaining(why) } })
  })

  it('tells a person who answers too late that it was withdrawn and why, not that time is up', async () => {
    const sandbox = await createRunSandbox()
    await sandbox.run(['run', '--', ...script(sandbox, `beckon ask "Which?" --async >/dev/null\nexit 0`)])
    const { id } = await theRequest(sandbox)
    const late = await sandbox.run(['answer', id, 'a'])
    expect(late.stderr).toMatch(/Withdrawn .*: The agent ended with exit code 0/)
    expect(late.stderr).not.toContain('Time is up')
    expect(late.code).toBe(6)
  })

  it('tells the person who has the prompt open', async () => {
    const sandbox = await createRunSandbox()
    const agent = script(sandbox, `${question}\nsleep 600`)
    const running = terminal(sandbox, ['run', '--pause', 'none', '--', ...agent])
    const { id, run } = await sandbox.pending()
    await running.shows('Which one?')
    const answering = terminal(sandbox, ['answer', id])
    await answering.shows('Which one?')
    const { pid } = await until(async () => {
      const found = await sandbox.hub.runs.get(run ?? '')
      return found.pid === null ? null : found
    }, 'its process')
    process.kill(pid ?? 0, 'SIGKILL')
    await answering.shows(/Withdrawn .*SIGKILL/s)
    await running.shows(`${id} was withdrawn`)
    expect((await running.end()).code).toBe(137)
    expect((await answering.end()).code).toBe(6)
  })
})

describe('an agent that ends while it asks, in a run that can come back', () => {
  it.each(['exit 0', 'exit 1', 'kill -9 $$'])('is brought back by the answer: %s', async end => {
    const sandbox = await createRunSandbox()
    const agent = script(sandbox, `[ "$1" = resumed ] && echo "got $2" && exit 0\n${question}\n${end}`)
    const resume = `bash '${agent[1]}' resumed {answer}`
    const running = sandbox.start(['run', '--resume-command', resume, '--', ...agent])
    await until(() => running.written().stderr.includes('starts it again'), 'the word that an answer starts it again')
    const { id } = await sandbox.pending()
    expect((await sandbox.run(['answer', id, 'b'])).code).toBe(0)
    const ended = await running.result
    expect(ended.stdout).toContain('got b')
    expect(ended.code).toBe(0)
  })
})
