import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

describe.each([
  ['beckon', 'beckon.js'],
  ['beckon-askpass', 'beckon-askpass.js'],
  ['AskUserQuestion', 'ask-user-question.js'],
])('the launcher of %s', (name, file) => {
  const launcher = join(root, 'bin', file)

  it.each(['12.22.12', '20.20.2', '22.13.1'])('says in one sentence that Node %s is too old', version => {
    const { status, stdout, stderr } = launchOn(launcher, version)
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `${name} needs Node 22.14 or newer; this is v${version}. Install a newer Node (https://nodejs.org) and try again.\n`,
    })
  })

  it.each(['22.14.0', '24.0.0', '101.0.0'])('starts on Node %s', version => {
    const { status, stdout } = launchOn(launcher, version)
    expect(status).toBe(0)
    expect(stdout).toContain(name)
  })
})

describe.each(['index.js', 'agent/index.js'])('the library (%s)', entry => {
  const load = `import(${JSON.stringify(join(root, 'dist', entry))}).then(() => 'loaded', error => error.message).then(console.log)`

  it.each(['20.20.2', '22.13.1'])('says in one sentence that Node %s is too old, before it opens anything', version => {
    expect(runOn(version, ['--eval', load]).stdout).toBe(
      `beckon needs Node 22.14 or newer; this is v${version}. Install a newer Node (https://nodejs.org) and try again.\n`,
    )
  })

  it.each(['22.14.0', '24.0.0'])('loads on Node %s', version => {
    expect(runOn(version, ['--eval', load]).stdout).toBe('loaded\n')
  })
})

it('declares the oldest Node that its commands and its library accept', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(engines.node).toBe('>=22.14')
})

function launchOn(launcher: string, version: string) {
  return runOn(version, [launcher, '--help'])
}

/** Runs this Node, which reports another version. */
function runOn(version: string, args: string[]) {
  const fakeVersion = `
    Object.defineProperty(process, 'version', { value: 'v${version}' })
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const preload = `data:text/javascript,${encodeURIComponent(fakeVersion)}`
  return spawnSync(process.execPath, ['--import', preload, ...args], { encoding: 'utf8' })
}
