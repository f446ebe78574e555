import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

const block = String.raw`[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, b]\n[/USER_QUESTION]`

/** A run that printed something, and waits for an answer. */
async function startRun(sandbox: Sandbox) {
  const file = join(sandbox.cwd, 'agent.py')
  const lines = ['\\x1b[31mcompiling\\x1b[0m', ...Array.from({ length: 50 }, (_, i) => `step ${i}`), 'linking 가나다']
  writeFileSync(file, `for text in ${JSON.stringify(lines)}: print(text)\nprint("${block}", flush=True)\ninput()\n`)
  const running = sandbox.start(['run', '--name', 'nightly', '--', 'python3', file])
  const request = await sandbox.pending()
  await until(() => running.written().stderr.includes(request.id), 'the announcement')
  return { running, request }
}

describe('a request of a run in the inbox', () => {
  it('has the last lines of the run beside it on a wide terminal, and not on a narrow one', async () => {
    const sandbox = await createRunSandbox()
    await startRun(sandbox)
    const { shows, resize, screen } = terminal(sandbox, ['inbox', '--quiet'], {}, { columns: 100, rows: 40 })
    await shows(/Which one\? +│ nightly: last lines/)
    await shows(/│ linking 가나다\n/)
    expect(screen()).toContain('│ step 49')
    expect(screen()).not.toContain('step 10')
    resize(40, 20)
    await shows(/❯.*Which one\?\n/)
    expect(screen()).not.toContain('linking')
  })

  it('is answered from the list, and its run taken over if its supervisor died meanwhile', async () => {
    const sandbox = await createRunSandbox()
    const { running, request } = await startRun(sandbox)
    const { shows, press, end } = terminal(sandbox, ['inbox', '--quiet'], {}, { columns: 40, rows: 20 })
    await shows('q quit')
    running.child.kill('SIGKILL')
    await running.result
    press('2')
    await shows('Answer “b”?')
    press('Enter')
    await shows('Answered by person')
    await until(async () => (await sandbox.hub.runs.get(request.run ?? '')).endedAt, 'the end of the run')
    expect(await sandbox.hub.runs.get(request.run ?? '')).toMatchObject({ status: 'completed' })
    press('q')
    expect((await end()).code).toBe(0)
    await shows('The run was taken over.')
  })
})
