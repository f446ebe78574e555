import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { approve } from '../../src/cli/approve/approve.ts'
import type { Context } from '../../src/cli/context.ts'
import { createSandbox, until } from '../cli/sandbox.ts'

const count = vi.hoisted(() => ({ parses: 0, hubs: 0 }))

vi.mock('../../src/guard/shell/parse.ts', async original => {
  const { parseShell, ...rest } = await original<typeof import('../../src/guard/shell/parse.ts')>()
  return { ...rest, parseShell: (...args: Parameters<typeof parseShell>) => ++count.parses && parseShell(...args) }
})
vi.mock('../../src/open-hub.ts', async original => {
  const { openHubAndStore, ...rest } = await original<typeof import('../../src/open-hub.ts')>()
  return {
    ...rest,
    openHubAndStore: (...args: Parameters<typeof openHubAndStore>) => ++count.hubs && openHubAndStore(...args),
  }
})

describe('beckon approve', () => {
  beforeEach(() => Object.assign(count, { parses: 0, hubs: 0 }))

  it('parses a command that the guard allows once, and opens the hub once', async () => {
    const { context, before } = await inProcess()
    expect(await approve(context, ['touch done'], { human: true })).toBe(0)
    expect(existsSync(join(context.cwd, 'done'))).toBe(true)
    expect({ parses: count.parses, hubs: count.hubs - before }).toEqual({ parses: 1, hubs: 1 })
  })

  it('parses a command once to ask, once in the hub and once more before it runs, and opens the hub once', async () => {
    const { context, hub, before } = await inProcess()
    const ending = approve(context, ['git stash drop'], { human: true })
    const { id } = await until(async () => (await hub.list()).requests[0], 'the request')
    // By the command itself, and by the hub, which believes no asker.
    expect(count.parses).toBe(2)
    await hub.answer(id, { value: 'yes' })
    // There is no repository, so git starts and fails.
    expect(await ending).toBe(128)
    expect({ parses: count.parses, hubs: count.hubs - before }).toEqual({ parses: 3, hubs: 1 })
  })
})

/** Prepares to run the command in this process, with a hub to answer it. */
async function inProcess() {
  const { cwd, env, hub } = await createSandbox()
  const silent = new PassThrough().resume()
  const context: Context = {
    args: ['approve', '--'],
    env: { PATH: process.env.PATH, HOME: '/home/person', ...env },
    stdin: new PassThrough(),
    stdout: silent,
    stderr: silent,
    cwd,
    isTerminal: false,
    now: Date.now,
    exitCode: 0,
  }
  return { context, hub, before: count.hubs }
}
