import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, launcher, type Sandbox } from './sandbox.ts'

describe('beckon completion', () => {
  it('completes commands, flags, choices and ids in a real bash', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({ questions: [{ question: 'One?' }] })
    const script = (await sandbox.run(['completion', 'bash'])).stdout
    expect(complete(sandbox, script, ['de'])).toEqual(['decline'])
    expect(complete(sandbox, script, ['ask', 'Ship it?', '--on'])).toEqual(['--on-timeout'])
    expect(complete(sandbox, script, ['ask', 'Ship it?', '--no'])).toEqual(['--no-human'])
    expect(complete(sandbox, script, ['ask', 'Ship it?', '--on-timeout', 'f'])).toEqual(['fail'])
    expect(complete(sandbox, script, ['list', '--kind', ''])).toEqual(['question', 'dependency', 'approval', 'review'])
    expect(complete(sandbox, script, ['completion', 'f'])).toEqual(['fish'])
    for (const command of ['answer', 'skip', 'decline', 'cancel', 'show', 'wait']) {
      expect(complete(sandbox, script, [command, 'req_'])).toEqual([id])
    }
    for (const command of ['approve', 'need'])
      expect(complete(sandbox, script, [command, '--resume', ''])).toEqual([id])
    expect(complete(sandbox, script, ['runs', 'lo'])).toEqual(['logs'])
    expect(complete(sandbox, script, ['token', ''])).toEqual(['create', 'list', 'revoke', 'link'])
    expect(complete(sandbox, script, ['runs', 'logs', '--t'])).toEqual(['--tail'])
    expect(complete(sandbox, script, ['need', 'p'])).toEqual(['permission', 'package'])
    const run = await sandbox.hub.runs.start({ command: ['agent'], name: 'painter', cwd: sandbox.cwd })
    expect(complete(sandbox, script, ['runs', 'stop', ''])).toEqual([run.id])
    expect(complete(sandbox, script, ['list', '--run', ''])).toEqual([run.id])
    const { id: saved } = await sandbox.hub.checkpoints.save({ run: run.id, reason: 'demand' })
    expect(complete(sandbox, script, ['restore', ''])).toEqual([saved])
    expect((await sandbox.run(['__complete', 'request'])).stdout).toBe(`${id}\tOne?\n`)
    expect(complete(sandbox, script, ['ask', 'req_'])).toEqual([])
    expect(complete(sandbox, script, ['__'])).toEqual([])
  })

  it.each(['bash', 'zsh', 'fish'])('covers the commands in %s', async shell => {
    const { run } = await createSandbox()
    const { code, stdout } = await run(['completion', shell])
    expect(code).toBe(0)
    for (const word of [
      'ask',
      'need',
      'wait',
      'answer',
      'doctor',
      'cancel-on-exit',
      'runs logs',
      'env_variable',
      '__complete',
    ]) {
      expect(stdout).toContain(word)
    }
  })

  it('names no variable in zsh that zsh itself uses', async () => {
    const { run } = await createSandbox()
    expect((await run(['completion', 'zsh'])).stdout).not.toMatch(/\blocal (-a )?path\b/)
  })

  it('completes no ids and prints no error when the hub is unavailable', async () => {
    const { run, cwd } = await createSandbox()
    writeFileSync(join(cwd, 'file'), '')
    for (const env of [{ BECKON_HOME: join(cwd, 'file', 'below') }, { BECKON_URL: 'http://localhost:1' }]) {
      expect(await run(['__complete', 'ids'], { env })).toEqual({ code: 0, stdout: '', stderr: '' })
    }
    expect((await run(['completion', 'tcsh'])).code).toBe(1)
  })
})

/** The completions that bash offers for the last word. */
function complete({ env, cwd }: Sandbox, script: string, words: string[]): string[] {
  const program = `
    beckon() { "$NODE" "$LAUNCHER" "$@"; }
    eval "$SCRIPT"
    COMP_WORDS=(beckon "$@"); COMP_CWORD=$#
    _beckon
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-c', program, 'bash', ...words], {
    cwd,
    env: { ...process.env, ...env, NODE: process.execPath, LAUNCHER: launcher, SCRIPT: script } as NodeJS.ProcessEnv,
    encoding: 'utf8',
  })
  return output.split('\n').filter(line => line !== '')
}
