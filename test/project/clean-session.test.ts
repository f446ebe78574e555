import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../cli/sandbox.ts'
import { temporaryFolder } from '../setup/databases.ts'

const root = join(import.meta.dirname, '../..')
const script = join(root, 'scripts/in-clean-session.mjs')
const agent = { CLAUDECODE: '1', CODEX_SANDBOX: 'x', AI_AGENT: 'goose', BECKON_RUN: 'run_1', BECKON_URL: 'http://x' }
const { IN_CLEAN_SESSION: _, ...outside } = process.env
// Prints its pid, its session, and what an agent's shell would have given it.
const report = `
const session = require('node:child_process').execFileSync('ps', ['-o', 'sid=', '-p', process.pid], { encoding: 'utf8' })
const marked = Object.keys(process.env).filter(name => /^(BECKON_|CLAUDECODE|CODEX_|AI_AGENT)/.test(name))
console.log(JSON.stringify({ pid: process.pid, session: Number(session), marked, kept: process.env.KEPT }))`

describe('the session in which tests run', () => {
  it.runIf(process.platform === 'linux')("is new, and has nothing of an agent's shell", () => {
    const { stdout } = start(['node', '-e', report], { ...agent, KEPT: 'yes', BECKON_TEST_AGENTS: '/agents' })
    const { pid, session, marked, kept } = JSON.parse(stdout)
    expect({ marked, kept }).toEqual({ marked: ['BECKON_TEST_AGENTS'], kept: 'yes' })
    expect(session).toBe(pid)
  })

  it.runIf(process.platform === 'linux')('is started once: what runs inside starts no other', () => {
    const { stdout } = start([process.execPath, script, process.execPath, script, 'node', '-e', report], agent)
    const { pid, session, marked } = JSON.parse(stdout)
    expect(marked).toEqual([])
    expect(session).not.toBe(pid)
  })

  it('passes on exit code, output, and arguments as they are', () => {
    const program = 'console.log(process.argv.slice(1).join("|")); console.error("oops"); process.exitCode = 7'
    const { status, stdout, stderr } = start(['node', '-e', program, 'a b', '$HOME', ''])
    expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: 'a b|$HOME|\n', stderr: 'oops\n' })
  })

  it('says what cannot be started', () => {
    expect(start(['no-such-program'])).toMatchObject({
      status: 127,
      stderr: expect.stringContaining('no-such-program cannot be started'),
    })
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends with %s as the command does', async signal => {
    const child = spawn(process.execPath, [script, 'sh', '-c', 'echo ready; exec sleep 60'], {
      env: outside,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const exit = once(child, 'exit')
    await once(child.stdout, 'data')
    child.kill(signal)
    expect(await exit).toEqual([null, signal])
  })

  it('lets the command handle Ctrl-C itself', async () => {
    const program =
      "process.on('SIGINT', () => { console.log('cleaned up'); process.exit(3) }); console.log('ready'); setInterval(() => {}, 1e3)"
    const child = spawn(process.execPath, [script, process.execPath, '-e', program], { env: outside })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    const exit = once(child, 'close')
    await until(() => stdout.includes('ready'), 'the command')
    child.kill('SIGINT')
    expect(await exit).toEqual([3, null])
    expect(stdout).toBe('ready\ncleaned up\n')
  })

  it('is the session of .ci/run, whose last line stays the totals', () => {
    const folder = temporaryFolder()
    for (const name of ['.ci', 'scripts', 'bin']) mkdirSync(join(folder, name))
    for (const file of ['.ci/run', 'scripts/in-clean-session.mjs']) copyFileSync(join(root, file), join(folder, file))
    // In place of npm: says what it sees, and writes totals where the reporter of the tests does.
    const npm = `#!/bin/sh
echo "$* marker=$CLAUDECODE run=$BECKON_RUN"
case "$*" in test|'run test:agents') echo "3 passed, 0 failed, $\{SKIPPED:-0} skipped" >> "$TEST_SUMMARY" ;; esac
[ "$*" != "run $FAILS" ]`
    const [, needed = ''] = readFileSync(join(root, '.ci/run'), 'utf8').match(/install_missing (.*)/) ?? []
    for (const tool of [...needed.split(' '), 'npm']) {
      writeFileSync(join(folder, 'bin', tool), tool === 'npm' ? npm : '')
      chmodSync(join(folder, 'bin', tool), 0o755)
    }
    const run = (more: Record<string, string>) =>
      spawnSync(join(folder, '.ci/run'), {
        encoding: 'utf8',
        env: { ...outside, ...agent, ...more, PATH: `${folder}/bin:${outside.PATH}` },
      })
    const passed = run({})
    expect(passed.stdout).toBe(
      'ci marker= run=\nrun check marker= run=\ntest marker= run=\nrun check:deploy marker= run=\nrun test:floor marker= run=\nrun test:agents marker= run=\n6 passed, 0 failed, 0 skipped\n',
    )
    expect(passed.status).toBe(0)
    const failed = run({ FAILS: 'check' })
    expect(failed.stdout).toMatch(/\nfailed: npm run check\n0 passed, 0 failed, 0 skipped\n$/)
    expect(failed.status).toBe(1)
    const skipped = run({ SKIPPED: '1' })
    expect(skipped.stdout).toMatch(/\nfailed: the totals\n6 passed, 0 failed, 2 skipped\n$/)
    expect(skipped.status).toBe(1)
  })

  it('is the session of every npm script that runs tests or benchmarks', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const running = Object.entries<string>(scripts).filter(([name]) => /^(test|bench)/.test(name))
    expect(running.filter(([, line]) => !line.includes('node scripts/in-clean-session.mjs '))).toEqual([])
    expect(running.length).toBeGreaterThan(3)
  })
})

function start(command: string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [script, ...command], { encoding: 'utf8', env: { ...outside, ...env } })
}
