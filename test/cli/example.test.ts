import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Sandbox, sandbox, until } from './sandbox.ts'

const signInLink = /^ {2}(\S+)\/#signin=\S+$/m
const example = join(import.meta.dirname, '../../examples/start.ts')

describe('what npm start runs', () => {
  it('serves the inbox, asks there, and tells what was answered, and by whom', async () => {
    const place = await sandbox()
    const { child, written } = start(place)
    const [, url] = await until(() => signInLink.exec(written()), 'the link to sign in with')
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ ok: true })
    const { id, context } = await place.pending()
    expect(context).toContain('Version 2.4')
    await until(() => written().includes(`npx beckon answer ${id} yes`), 'the way to answer from a terminal')
    await place.hub.answer(id, { value: 'yes', by: 'colleague', channel: 'web' })
    await once(child, 'close')
    expect(written()).toContain('colleague said yes (web). Shipping.')
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  it('does not hang where there is nobody, and leaves nothing behind', async () => {
    const place = await sandbox()
    const { child, written } = start(place, { BECKON_WAIT: '100ms' })
    await once(child, 'close')
    expect(written()).toContain('Nobody answered')
    expect((await place.hub.list()).requests).toEqual([])
  })

  it('ends with everything it started when it is told to', async () => {
    const place = await sandbox()
    const { child, written } = start(place)
    const [, url] = await until(() => signInLink.exec(written()), 'the address')
    await place.pending()
    child.kill('SIGTERM')
    await once(child, 'close')
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    await until(async () => (await place.hub.list()).requests.length === 0, 'the question to be withdrawn')
  })
})

function start(place: Sandbox, env: Record<string, string> = {}): { child: ChildProcess; written: () => string } {
  const child = spawn(process.execPath, [example], {
    cwd: place.cwd,
    env: { ...process.env, ...place.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  place.atEnd(() => child.kill('SIGTERM'))
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  return { child, written: () => text }
}
