import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { question, questioner, questions } from './questionnaire.ts'
import { createSandbox } from './sandbox.ts'

const ask = ['--async', questions(question())]

describe('the V8 code cache of AskUserQuestion', () => {
  it('is written by the first valid call, readable only by its owner, and used by the next call', async () => {
    const sandbox = await createCacheSandbox()
    expect(await sandbox.ask(['{'])).toMatchObject({ code: 1 })
    expect(sandbox.cacheFiles()).toEqual([])
    expect(await sandbox.ask(ask)).toMatchObject({ code: 0, stderr: '' })
    const [file = ''] = sandbox.cacheFiles()
    const first = readFileSync(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await sandbox.ask(ask)).toMatchObject({ code: 0, stderr: '' })
    expect(sandbox.cacheFiles()).toEqual([file])
    expect(readFileSync(file).equals(first)).toBe(true)
  })

  it('is not written by a call that creates the database, because it would hold all of the migrations', async () => {
    const sandbox = await createCacheSandbox()
    const env = { BECKON_HOME: join(sandbox.root, 'new') }
    expect(await sandbox.ask(ask, env)).toMatchObject({ code: 0, stderr: '' })
    expect(sandbox.cacheFiles()).toEqual([])
    expect(await sandbox.ask(ask, env)).toMatchObject({ code: 0, stderr: '' })
    expect(sandbox.cacheFiles()).toHaveLength(1)
  })

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['is truncated', bytes => bytes.subarray(0, bytes.length / 2)],
    ['is empty', () => Buffer.alloc(0)],
    ['has lost its end', bytes => bytes.fill(0, bytes.length - 4_096)],
    ['contains only zeros', bytes => Buffer.alloc(bytes.length)],
  ])('is written again if it %s', async (_, damage) => {
    const sandbox = await createCacheSandbox()
    await sandbox.ask(ask)
    const [file = ''] = sandbox.cacheFiles()
    const good = readFileSync(file)
    writeFileSync(file, damage(Buffer.from(good)))
    expect(await sandbox.ask(ask)).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(file).length).toBeGreaterThan(good.length / 2)
    expect(sandbox.cacheFiles()).toEqual([file])
  })

  it('is not required', async () => {
    const { cwd, ...sandbox } = await createSandbox()
    writeFileSync(join(cwd, 'file'), '')
    const env = { XDG_CACHE_HOME: join(cwd, 'file') }
    expect(await questioner({ cwd, ...sandbox }).ask(ask, { env })).toMatchObject({ code: 0, stderr: '' })
  })
})

/** A sandbox with its own cache folder. */
async function createCacheSandbox() {
  const sandbox = await createSandbox()
  const cache = join(sandbox.root, 'cache')
  const folder = join(cache, 'beckon', 'compiled')
  return {
    root: sandbox.root,
    ask: (args: string[], env: Record<string, string> = {}) =>
      questioner(sandbox).ask(args, { env: { XDG_CACHE_HOME: cache, ...env } }),
    cacheFiles: () =>
      existsSync(folder)
        ? readdirSync(folder)
            .filter(name => name.includes('.bundle'))
            .map(name => join(folder, name))
        : [],
  }
}
