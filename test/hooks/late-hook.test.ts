import { join } from 'node:path'
import { expect, it } from 'vitest'
import { askAboutCall } from '../../src/hooks/ask-about-call.ts'
import { decidedCallsOf } from '../../src/hooks/decided-calls.ts'
import type { HookHost } from '../../src/hooks/hook.ts'
import { openCallsOf } from '../../src/hooks/open-calls.ts'
import { openHub } from '../../src/open-hub.ts'
import type { HubApi } from '../../src/protocol/hub.ts'
import { createSandbox } from '../cli/sandbox.ts'

// Two hooks of one call, with a real hub, where one is between two steps of the other.

it('is told the same in the moment in which the yes is spent', async () => {
  const { hub, ask, answers } = await createHooks()
  let late: Promise<unknown> = Promise.resolve()
  const use: HubApi['use'] = async (...given) => {
    const used = await hub.use(...given)
    late = ask()
    await late
    return used
  }
  const first = ask({ ...hub, use })
  await answers('yes')
  expect(await first).toMatchObject(allowed)
  expect(await late).toMatchObject(allowed)
  expect((await hub.list({ status: 'all' })).requests).toHaveLength(1)
})

it('withdraws what it asked while the other hook got its answer', async () => {
  const { hub, ask, answers } = await createHooks()
  const raise: HubApi['raise'] = async given => {
    const first = ask()
    await answers('yes')
    expect(await first).toMatchObject(allowed)
    return hub.raise(given)
  }
  expect(await ask({ ...hub, raise })).toMatchObject(allowed)
  const { requests } = await hub.list({ status: 'all' })
  expect(requests.map(({ status }) => status).toSorted()).toEqual(['answered', 'cancelled'])
})

it.each(['another hub', 'another command'])('asks for itself where the other hook asked %s', async what => {
  const { hub, home, atEnd, ask, answers } = await createHooks()
  const first = ask()
  await answers('yes')
  await first
  const another = await openHub({ database: join(home, 'another.db') })
  atEnd(() => another.close())
  const asked = what === 'another hub' ? another : hub
  const late = ask(asked, what === 'another hub' ? 'git push --force' : 'git push -f')
  await expect.poll(async () => (await asked.list()).requests.length).toBe(1)
  for (const { id } of (await asked.list()).requests) await asked.decline(id)
  expect(await late).toMatchObject({ decision: { behavior: 'deny' } })
})

const allowed = { how: 'decided', decision: { behavior: 'allow' } }

async function createHooks() {
  const { hub, home, cwd, atEnd, pending } = await createSandbox()
  return { hub, home, atEnd, ask, answers }

  function ask(through: HubApi = hub, command = 'git push --force') {
    const host = {
      env: {},
      parent: process.ppid,
      signal: new AbortController().signal,
      wait: 20_000,
      open: async () => ({ hub: through, hmac: (_: string, value: string) => value }),
    } as unknown as HookHost
    const call = { agent: 'claude-code', session: 's', id: 't1', tool: 'Bash', input: { command }, cwd, run: null }
    const [calls, decided] = [openCallsOf(home, 'claude-code', 's'), decidedCallsOf(home, 'claude-code', 's')]
    return askAboutCall(host, call, { calls, decided })
  }

  async function answers(value: string) {
    await hub.answer((await pending()).id, { value })
  }
}
