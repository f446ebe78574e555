import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const example = join(import.meta.dirname, '../../examples/ship-it.ts')

describe('the example that npm start runs', () => {
  it('tells what was answered, and by whom', async () => {
    const { env, cwd, pending, hub } = await sandbox()
    const showing = show(cwd, env)
    await hub.answer((await pending()).id, { value: 'yes', by: 'colleague', channel: 'web' })
    expect((await showing).stdout).toContain('colleague said yes (web). Shipping.')
  })

  it('does not hang where there is nobody, and leaves nothing behind', async () => {
    const { env, cwd, hub } = await sandbox()
    const { stdout } = await show(cwd, { ...env, BECKON_WAIT: '100ms' })
    expect(stdout).toContain('npx beckon answer ID yes')
    expect(stdout).toContain('Nobody answered')
    expect((await hub.list()).requests).toEqual([])
  })
})

function show(cwd: string, env: Record<string, string | undefined>) {
  return promisify(execFile)(process.execPath, [example], { cwd, env: { ...process.env, ...env } })
}
