import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox, until } from './sandbox.ts'

const signInLink = /^ {2}(\S+)\/#signin=\S+$/m
const example = join(import.meta.dirname, '../../examples/start.ts')

describe('the example of npm start', () => {
  it('serves the inbox, asks a question, and prints the answer and who gave it', async () => {
    const sandbox = await createSandbox()
    const { child, written } = start(sandbox)
    const [, url] = await until(() => signInLink.exec(written()), 'the link to sign in with')
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ ok: true })
    const { id, context } = await sandbox.pending()
    expect(context).toContain('Version 2.4')
    await until(() => written().includes(`npx beckon answer ${id} yes`), 'the way to answer from a terminal')
    await sandbox.hub.answer(id, { value: 'yes', by: 'colleague', channel: 'web' })
    await once(child, 'close')
    expect(written()).toContain('colleague said yes (web). Shipping.')
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  it('exits when nobody answers, and leaves no request behind', async () => {
    const sandbox = await createSandbox()
    const { child, written } = start(sandbox, { BECKON_WAIT: '100ms' })
    await once(child, 'close')
    expect(written()).toContain('Nobody answered')
    expect((await sandbox.hub.list()).requests).toEqual([])
  })

  it('stops everything it started on SIGTERM', async () => {
    const sandbox = await createSandbox()
    const { child, written } = start(sandbox)
    const [, url] = await until(() => signInLink.exec(written()), 'the address')
    await sandbox.pending()
    child.kill('SIGTERM')
    await once(child, 'close')
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    await until(async () => (await sandbox.hub.list()).requests.length === 0, 'the question to be withdrawn')
  })
})

function start(sandbox: Sandbox, env: Record<string, string> = {}): { child: ChildProcess; written: () => string } {
  const child = spawn(process.execPath, [example], {
    cwd: sandbox.cwd,
    env: { ...process.env, ...sandbox.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  sandbox.atEnd(() => child.kill('SIGTERM'))
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  return { child, written: () => text }
}
