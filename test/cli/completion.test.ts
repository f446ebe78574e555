import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launcher, type Sandbox, sandbox } from './sandbox.ts'

describe('beckon completion', () => {
  it('completes commands, flags, choices and ids in a real bash', async () => {
    const place = await sandbox()
    const { id } = await place.ask({ questions: [{ question: 'One?' }] })
    const script = (await place.run(['completion', 'bash'])).stdout
    expect(complete(place, script, ['de'])).toEqual(['decline'])
    expect(complete(place, script, ['ask', 'Ship it?', '--on'])).toEqual(['--on-timeout'])
    expect(complete(place, script, ['ask', 'Ship it?', '--no'])).toEqual(['--no-human'])
    expect(complete(place, script, ['ask', 'Ship it?', '--on-timeout', 'f'])).toEqual(['fail'])
    expect(complete(place, script, ['list', '--kind', ''])).toEqual(['question', 'dependency', 'approval', 'review'])
    expect(complete(place, script, ['completion', 'f'])).toEqual(['fish'])
    for (const command of ['answer', 'skip', 'decline', 'cancel', 'show', 'wait']) {
      expect(complete(place, script, [command, 'req_'])).toEqual([id])
    }
    expect(complete(place, script, ['ask', 'req_'])).toEqual([])
    expect(complete(place, script, ['__'])).toEqual([])
  })

  it.each(['bash', 'zsh', 'fish'])('knows every command in %s', async shell => {
    const { run } = await sandbox()
    const { code, stdout } = await run(['completion', shell])
    expect(code).toBe(0)
    for (const word of ['ask', 'need', 'wait', 'answer', 'doctor', 'cancel-on-exit', '__complete ids']) {
      expect(stdout).toContain(word)
    }
  })

  it('is silent about ids whatever is wrong', async () => {
    const { run, cwd } = await sandbox()
    writeFileSync(join(cwd, 'file'), '')
    for (const env of [{ BECKON_HOME: join(cwd, 'file', 'below') }, { BECKON_URL: 'http://localhost:1' }]) {
      expect(await run(['__complete', 'ids'], { env })).toEqual({ code: 0, stdout: '', stderr: '' })
    }
    expect((await run(['completion', 'tcsh'])).code).toBe(1)
  })
})

/** What bash would offer for the last word. */
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
