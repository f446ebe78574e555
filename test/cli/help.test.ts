import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const asking = ['ask', 'need', 'wait']
const answering = ['answer', 'skip', 'decline', 'cancel']
const others = ['restore', 'inbox', 'list', 'show', 'events', 'backup', 'gc', 'doctor', 'completion']

describe('help', () => {
  it('of beckon names every command, and is what beckon alone prints', async () => {
    const { run } = await sandbox()
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    for (const command of [...asking, ...answering, ...others])
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
    expect(stdout).not.toContain('__complete')
    expect(await run([])).toEqual({ code: 0, stdout, stderr: '' })
    expect((await run(['help', 'ask'])).stdout).toBe((await run(['ask', '--help'])).stdout)
  })

  it.each([...asking, ...answering, ...others])('of %s teaches by examples', async command => {
    const { run } = await sandbox()
    const { code, stdout } = await run([command, '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/\nExamples:\n {2}.*beckon /)
    if (asking.includes(command)) expect(stdout).toMatch(/Exit codes:[\s\S]+ 10 .*declined[\s\S]*75 .*still pending/v)
    if (answering.includes(command))
      expect(stdout).toMatch(/Exit codes:[\s\S]+ 5 .*not allowed[\s\S]+ 6 .*already settled/v)
  })

  it('tells the version of the package', async () => {
    const { run } = await sandbox()
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})
