import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Verdict } from '../../src/protocol/verdict.ts'
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

it('beckon guard asks about what git does not hold, and not about what a build makes again', async () => {
  const { run, cwd } = await createSandbox()
  const verdict = async (command: string, ...flags: string[]) => {
    const { stdout } = await run(['guard', '--json', ...flags, '--', command])
    const { verdict, reasons } = JSON.parse(stdout) as Verdict
    return [verdict, ...reasons.map(({ rule }) => rule)]
  }
  expect(await verdict('rm -rf thesis')).toEqual(['ask', 'fs/delete-unversioned'])
  expect(await verdict('rm -rf node_modules dist')).toEqual(['allow'])
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.com', ...args], { cwd })
  git('init', '-q')
  mkdirSync(join(cwd, 'src/old'), { recursive: true })
  writeFileSync(join(cwd, 'src/old/a.ts'), 'a')
  expect(await verdict('rm -rf src/old')).toEqual(['ask', 'fs/delete-uncommitted'])
  git('add', '.')
  git('commit', '-qm', 'all of it')
  expect(await verdict('rm -rf src/old')).toEqual(['allow'])
  expect(await verdict('rm -rf src/old', '--strict')).toEqual(['ask', 'fs/delete-strict'])
})

it('beckon guard is strict with --strict, BECKON_GUARD, or where the project demands it', async () => {
  const { run, cwd } = await createSandbox()
  const code = async (flags: string[], BECKON_GUARD?: string) =>
    (await run(['guard', ...flags, '--', 'rm -rf node_modules'], { env: { BECKON_GUARD } })).code
  expect(await code([])).toBe(0)
  expect(await code([], 'standard')).toBe(0)
  expect(await code(['--strict'])).toBe(10)
  expect(await code([], 'strict')).toBe(10)
  expect(await code([], 'a typing error')).toBe(10)
  mkdirSync(join(cwd, '.beckon'))
  writeFileSync(join(cwd, '.beckon/rules.json'), '{ "strict": true }')
  expect(await code([], 'standard')).toBe(10)
  writeFileSync(join(cwd, '.beckon/rules.json'), '{ "strict": false, "rules": [] }')
  expect(await code([])).toBe(0)
  writeFileSync(join(cwd, '.beckon/rules.json'), '{ "strict": ')
  expect(await code([])).toBe(10)
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

it('beckon guard --explain shows each program that would start, where, and which rule said what', async () => {
  const { run, cwd } = await createSandbox()
  const command = 'cd app && sudo git push --force origin 메인; for i in 1 2; do ls; done > /etc/hosts'
  const { code, stdout } = await run(['guard', '--explain', '--', command])
  expect(code).toBe(10)
  expect(stdout.slice(stdout.indexOf('It would start'))).toBe(
    [
      'It would start:',
      '',
      '1. cd app',
      `   in ${cwd}`,
      '   allow',
      '',
      "2. sudo git push --force origin '메인'",
      `   in ${cwd}/app`,
      '   allow',
      '',
      "3. git push --force origin '메인'",
      `   in ${cwd}/app, inside sudo, as root`,
      '   ask (high)  git/push-force: overwrites history that others have',
      '',
      '4. ls',
      `   in ${cwd}/app`,
      '   allow',
      '',
      '5. > /etc/hosts',
      `   in ${cwd}/app`,
      '   ask (high)  fs/write-system: overwrites system files',
      '',
    ].join('\n'),
  )
})

it('beckon guard --explain --json adds the steps to the verdict', async () => {
  const { run, cwd } = await createSandbox()
  const { stdout } = await run(['guard', '--explain', '--json', '--', "ssh host 'git push -f'"])
  const step = { via: [], root: false, remote: false, verdict: 'allow', severity: 'none', reasons: [] }
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: 'ask',
    steps: [
      { ...step, argv: ['ssh', 'host', 'git push -f'], cwd, span: [0, 22] },
      {
        ...step,
        argv: ['git', 'push', '-f'],
        cwd: null,
        via: ['ssh'],
        remote: true,
        verdict: 'ask',
        severity: 'high',
        reasons: [{ rule: 'git/push-force' }],
      },
    ],
    omitted: 0,
  })
})

it('beckon guard --look names the file and the line, and opens nothing without it', async () => {
  const { run, cwd } = await createSandbox()
  writeFileSync(join(cwd, 'package.json'), '{\n  "scripts": { "x": "bash x.sh" }\n}\n')
  writeFileSync(join(cwd, 'x.sh'), 'echo\ngit push --force\n')
  const message = 'x.sh line 2 overwrites history that others have'
  const { code, stdout } = await run(['guard', '--look', '--json', '--', 'cd . && npm run x'])
  expect(code).toBe(10)
  expect(JSON.parse(stdout)).toEqual({
    verdict: 'ask',
    severity: 'high',
    reasons: [{ rule: 'git/push-force', message, span: [8, 17], file: 'x.sh', line: 2 }],
    safer: null,
  })
  const shown = ['ask (high)', `  ${message}`, '    x.sh  (git/push-force)', ''].join('\n')
  expect((await run(['guard', '--look', '--', 'bash', 'x.sh'])).stdout).toBe(shown)
  expect((await run(['guard', '--', 'npm run x'])).stdout).toBe('allow\n')
  const input = '{"cmd": "npm run x"}\n{"cmd": "ls"}\n'
  const lines = (await run(['guard', '--look', '--jsonl'], { input })).stdout.trim().split('\n')
  expect(lines.map(line => JSON.parse(line).verdict)).toEqual(['ask', 'allow'])
})
