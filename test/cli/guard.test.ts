import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'

it('beckon guard prints one verdict as JSON, and exits 10 unless it is allow', async () => {
  const { run } = await createSandbox()
  const { code, stdout } = await run(['guard', '--json', '--', 'cd / && rm -rf *'])
  expect(code).toBe(10)
  expect(JSON.parse(stdout)).toEqual({
    verdict: 'deny',
    severity: 'critical',
    reasons: [{ rule: 'fs/delete-root', message: 'deletes everything on this machine', span: [15, 16] }],
    safer: null,
  })
})

it('beckon guard takes several words as a program and its arguments', async () => {
  const { run } = await createSandbox()
  expect((await run(['guard', '--', 'echo', 'rm -rf /; ls'])).stdout).toBe('allow\n')
  const asked = await run(['guard', '--', 'git', 'push', '--force'])
  expect(asked.code).toBe(10)
  expect(asked.stdout).toBe(
    [
      'ask (high)',
      '  overwrites history that others have',
      '    git push --force  (git/push-force)',
      '  safer: git push --force-with-lease',
      '',
    ].join('\n'),
  )
})

it('beckon guard reads code in other languages, in which the built program marks strings by characters beyond ASCII', async () => {
  const { run } = await createSandbox()
  const { stdout } = await run(['guard', '--', `python3 -c 'import shutil; shutil.rmtree("/etc")'`])
  expect(stdout).toContain('deletes system files')
})

it('beckon guard takes the enclosing repository as the workspace', async () => {
  const { run, cwd } = await createSandbox()
  const inside = join(cwd, 'packages/core')
  mkdirSync(join(cwd, '.git'))
  mkdirSync(inside, { recursive: true })
  const lines = [
    { cmd: 'rm -rf ../../dist', cwd: inside },
    { cmd: 'rm -rf ../..', cwd: inside },
    { cmd: 'rm -rf ../../../other', cwd: inside },
    { cmd: 'rm -rf ~' },
    { cmd: 'ls' },
  ]
  const { code, stdout } = await run(['guard', '--jsonl'], {
    input: lines.map(line => JSON.stringify(line)).join('\n'),
  })
  expect(code).toBe(0)
  const verdicts = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).verdict)
  expect(verdicts).toEqual(['allow', 'ask', 'ask', 'deny', 'allow'])
})

it('beckon guard --jsonl prints a verdict for every line, including invalid ones', async () => {
  const { run } = await createSandbox()
  const { code, stdout } = await run(['guard', '--jsonl'], { input: 'nonsense\n{"cmd": 5}\n\n{"cmd": "ls"}\n' })
  expect(code).toBe(0)
  expect(
    stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).verdict),
  ).toEqual(['ask', 'ask', 'allow'])
})

it('beckon guard escapes control characters in a command', async () => {
  const { run } = await createSandbox()
  const { stdout } = await run(['guard', '--', 'rm -rf "/etc/\u001b[2Jx"'])
  expect(stdout).not.toContain('\u001b')
  expect(stdout).toContain('\\x1b')
})

it('beckon guard without a command says that it is missing', async () => {
  const { run } = await createSandbox()
  const { code, stderr } = await run(['guard'])
  expect(code).toBe(1)
  expect(stderr).toContain('COMMAND is missing')
})
