import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HookInstallation, hookCommand } from '../../src/setup/hook-command.ts'
import { until } from '../cli/sandbox.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-hook-command-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const agents = ['claude', 'codex', 'gemini'] as const
const place = { BECKON_HOME: '/nowhere/beckon' }

describe.each(agents)('the hook of %s', agent => {
  it('lets Beckon answer, with the input of the host', () => {
    const { status, stdout } = run(agent, 'cat; exit 86', '{"heard":1}')
    expect({ status, stdout }).toEqual({ status: agent === 'gemini' ? 2 : 0, stdout: '{"heard":1}' })
  })

  it.each([
    ['is missing', null],
    ['is killed', 'kill -9 $$'],
    ['hangs', 'exec sleep 60'],
    ['exits with 1', 'echo "{}"; exit 1'],
    ['exits with 0 without having answered', 'echo "{}"; exit 0'],
    ['exits with 2 and says nothing', 'exit 2'],
  ])('blocks when Beckon %s', (_, beckon) => {
    const { status, stdout, stderr } = run(agent, beckon)
    expect({ status, blocks: agent === 'gemini' ? JSON.parse(stdout).decision : stderr.trim() !== '' }).toEqual({
      status: 2,
      blocks: agent === 'gemini' ? 'deny' : true,
    })
  })
})

it('tells Codex why Beckon blocks', () => {
  expect(run('codex', 'echo "A person said no." >&2; exit 2').stderr).toContain('A person said no.')
})

it('says nothing to Gemini but an empty object where Beckon says nothing', () => {
  expect(run('gemini', 'exit 86')).toMatchObject({ status: 0, stdout: '{}' })
})

it('leaves no process behind once Beckon has ended, also where its script was killed', async () => {
  const child = spawn('/bin/sh', ['-c', `exec ${commandOf('codex', 'echo $$ >started; exec sleep 60', 600)}`], {
    cwd: folder,
    stdio: 'ignore',
  })
  const pid = () => (existsSync(join(folder, 'started')) ? Number(readFileSync(join(folder, 'started'), 'utf8')) : 0)
  const beckon = await until(pid, 'Beckon')
  const watch = await until(() => childrenOf(child.pid ?? 0).find(one => one !== beckon), 'the watch')
  child.kill('SIGKILL')
  process.kill(beckon, 'SIGKILL')
  await until(() => !existsSync(`/proc/${watch}`), 'the end of the watch')
})

it('has refused already when the script of Gemini is killed', async () => {
  const child = spawn('/bin/sh', ['-c', `exec ${commandOf('gemini', 'touch started; exec sleep 60', 600)}`], {
    cwd: folder,
  })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const closed = once(child, 'close')
  await until(() => existsSync(join(folder, 'started')), 'Beckon')
  const [beckon = 0] = childrenOf(child.pid ?? 0).flatMap(childrenOf)
  child.kill('SIGKILL')
  process.kill(beckon, 'SIGKILL')
  await closed
  expect(JSON.parse(stderr).decision).toBe('deny')
})

it('passes on the signal with which Claude ends a hook', async () => {
  const beckon = 'trap "touch withdrawn; exit 86" TERM; touch started; while :; do sleep 0.05; done'
  const child = spawn('/bin/sh', ['-c', `exec ${commandOf('claude', beckon, 600)}`], { cwd: folder })
  await until(() => existsSync(join(folder, 'started')), 'Beckon')
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  expect({ code, withdrawn: existsSync(join(folder, 'withdrawn')) }).toEqual({ code: 0, withdrawn: true })
})

it('leads to the hub that it was installed for, whatever the shell says, except inside of a run', () => {
  const beckon = 'echo "$BECKON_HOME|$BECKON_URL|$BECKON_DB" >&2; exit 86'
  const other = { BECKON_HOME: '/other', BECKON_URL: 'https://other', BECKON_DB: '/other.db' }
  expect(run('codex', beckon, '', other).stderr).toBe('/nowhere/beckon||\n')
  expect(run('codex', beckon, '', { ...other, BECKON_RUN: 'run_1' }).stderr).toBe('/other|https://other|/other.db\n')
})

describe.each(['sh', 'bash'])('in %s', shell => {
  it('survives any path', () => {
    // What a file name cannot have.
    const name = fc.string({
      unit: fc.oneof(fc.constantFrom(...`'"$\\ \n!*;&|()한é~#=-`), fc.string({ minLength: 1, maxLength: 1 })),
    })
    const path = name
      .map(text => text.replaceAll(/[/\0]|\p{Cs}/gu, '').slice(0, 40))
      .filter(text => !/^(|\.\.?)$/.test(text))
    fc.assert(
      fc.property(path, fc.constantFrom(...agents), (weird, agent) => {
        const inside = join(folder, weird)
        mkdirSync(inside, { recursive: true })
        const node = program(join(inside, 'node'), `printf "%s" "$1|$BECKON_HOME" >"${join(folder, 'got')}"; exit 86`)
        const beckon = join(inside, 'beckon.js')
        const command = hookCommand({ agent, node, beckon, env: { BECKON_HOME: inside } })
        const { status } = spawnSync(shell, ['-c', command], { input: '' })
        expect({ status, got: readFileSync(join(folder, 'got'), 'utf8') }).toEqual({
          status: 0,
          got: `${beckon}|${inside}`,
        })
      }),
      {
        numRuns: 40,
        examples: [
          ['it\'s $HOME \\ "한국"', 'gemini'],
          ['$GEMINI_CWD', 'gemini'],
        ],
      },
    )
  })
})

it('never shows Gemini a variable that it would replace itself', () => {
  const command = hookCommand({ agent: 'gemini', node: '/a/$GEMINI_CWD', beckon: '/b/$CLAUDE_PROJECT_DIR', env: {} })
  expect(command).not.toMatch(/\$(GEMINI|CLAUDE)_/)
})

/** The command of an installation whose Beckon does what the shell commands say. */
function commandOf(agent: HookInstallation['agent'], beckon: string | null, timeout = 2): string {
  const node = join(folder, 'node')
  if (beckon !== null) program(node, beckon)
  return hookCommand({ agent, node, beckon: '/beckon.js', env: place, timeout })
}

function run(agent: HookInstallation['agent'], beckon: string | null, input = '', env: NodeJS.ProcessEnv = {}) {
  const command = commandOf(agent, beckon)
  return spawnSync('bash', ['-c', command], { cwd: folder, input, env: { ...process.env, ...env }, encoding: 'utf8' })
}

function program(file: string, commands: string): string {
  writeFileSync(file, `#!/bin/sh\n${commands}\n`)
  chmodSync(file, 0o755)
  return file
}

function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  return rows.filter(([, parent]) => parent === pid).map(([child = 0]) => child)
}
