import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

describe.each([
  ['beckon', 'beckon.js'],
  ['AskUserQuestion', 'ask-user-question.js'],
])('the launcher of %s', (name, file) => {
  const launcher = join(import.meta.dirname, '../../bin', file)

  it.each(['12.22.12', '20.20.2', '22.12.0'])('says in one sentence that Node %s is too old', version => {
    const { status, stdout, stderr } = launchOn(launcher, version)
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `${name} needs Node 22.13 or newer; this is v${version}. Install a newer Node (https://nodejs.org) and try again.\n`,
    })
  })

  it.each(['22.13.0', '24.0.0', '101.0.0'])('starts on Node %s', version => {
    const { status, stdout } = launchOn(launcher, version)
    expect(status).toBe(0)
    expect(stdout).toContain(name)
  })
})

/** Runs a command with `--help` on a Node that reports another version. */
function launchOn(launcher: string, version: string) {
  const fakeVersion = `
    Object.defineProperty(process, 'version', { value: 'v${version}' })
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const preload = `data:text/javascript,${encodeURIComponent(fakeVersion)}`
  return spawnSync(process.execPath, ['--import', preload, launcher, '--help'], { encoding: 'utf8' })
}
