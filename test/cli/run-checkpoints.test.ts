import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commit, contents, git } from '../supervisor/repositories.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { until } from './sandbox.ts'

it('beckon run takes a checkpoint whenever it stops, and shows what a phase changed', async () => {
  const sandbox = await createRunSandbox()
  git(sandbox.cwd, 'init', '-q', '-b', 'main')
  commit(sandbox.cwd, { a: '1\n', '.gitignore': 'agent.py\n' })
  writeFileSync(
    join(sandbox.cwd, 'agent.py'),
    String.raw`
import sys
def say(text): print(text, flush=True)
def write(name, text):
    with open(name, "w") as file: file.write(text)
write("a", "2\n")
say("[USER_QUESTION]\ncategory: choice\nquestion: Which?\noptions: [x, y]\n[/USER_QUESTION]")
sys.stdin.readline()
write("a", "3\n")
write("b", "new\n")
say("=== PHASE 1 COMPLETE ===\nCompleted: Phase 1 (Work)\n\nFiles changed:\n- a\n\nReady for review.")
sys.stdin.readline()
`,
  )
  const running = sandbox.start(['run', '--', 'python3', 'agent.py'], { env: { SECRET_OF_MINE: 'canary-1234' } })
  const question = await sandbox.pending()
  await until(() => running.written().stderr.includes(question.id), 'the announcement')
  const { id: run } = await until(async () => (await sandbox.hub.runs.list())[0], 'the run')
  const [asked, start] = await sandbox.hub.checkpoints.list(run)
  expect(start).toMatchObject({ reason: 'start', requests: [], snapshot: { dirty: false } })
  expect(asked).toMatchObject({ reason: 'request', requests: [question.id], snapshot: { dirty: true } })
  expect(asked?.environment).toContain('SECRET_OF_MINE')
  expect(JSON.stringify(asked)).not.toContain('canary-1234')
  expect(asked?.logPosition).toBeGreaterThan(0)
  expect(contents(sandbox.cwd, asked?.snapshot ?? null)).toMatchObject({ a: '2\n' })

  await sandbox.hub.answer(question.id, { value: 'x' })
  const review = await until(
    async () => (await sandbox.hub.list()).requests.find(({ kind }) => kind === 'review'),
    'the review',
  )
  expect(review).toMatchObject({ diff: expect.stringContaining('@@ -1 +1 @@\n-1\n+3\n') })
  expect(review).toMatchObject({ diff: expect.stringContaining('+++ b/b\n') })
  expect(review.context).toMatch(/2 files changed \(\+\d+ −\d+\) since the phase began/)
  expect(review.context).toContain('Changed but not named:\n\n- `b`')
  await until(() => running.written().stderr.includes(review.id), 'the announcement')
  expect((await sandbox.hub.checkpoints.list(run))[0]).toMatchObject({ reason: 'phase', requests: [review.id] })
  await sandbox.hub.answer(review.id, { value: 'approve' })
  expect((await running.result).code).toBe(0)
}, 60_000)

it('beckon run starts the agent after the checkpoint of the start, also where git is slow', async () => {
  const sandbox = await createRunSandbox()
  git(sandbox.cwd, 'init', '-q', '-b', 'main')
  commit(sandbox.cwd, { a: '1\n' })
  const bin = join(sandbox.root, 'bin')
  mkdirSync(bin)
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  writeFileSync(join(bin, 'git'), `#!/bin/sh\nsleep 0.05\nexec ${real} "$@"\n`, { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env.PATH}` }
  expect((await sandbox.run(['run', '--', 'sh', '-c', 'echo 2 >a'], { env })).code).toBe(0)
  const { id: run } = await until(async () => (await sandbox.hub.runs.list())[0], 'the run')
  const start = (await sandbox.hub.checkpoints.list(run)).find(({ reason }) => reason === 'start')
  expect(start).toMatchObject({ note: null, snapshot: { dirty: false } })
})
