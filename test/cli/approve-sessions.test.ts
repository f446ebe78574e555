import { expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'

it('two sessions of an agent in one directory never share a yes', async () => {
  const { run, hub } = await createSandbox()
  const approve = ['approve', '--', 'git stash drop']
  const asIn = (thread: string) => ({ env: { CODEX_THREAD_ID: thread, BECKON_WAIT: '0s' } })
  const first = JSON.parse((await run(approve, asIn('one'))).stdout)
  expect(JSON.parse((await run(approve, asIn('one'))).stdout).id).toBe(first.id)
  const second = JSON.parse((await run(approve, asIn('two'))).stdout)
  expect(second.id).not.toBe(first.id)
  await hub.answer(first.id, { value: 'yes' })
  expect((await run(approve, asIn('two'))).code).toBe(75)
  expect((await hub.get(first.id)).usedAt).toBeNull()
  expect((await run(['approve', '--resume', first.id], asIn('two'))).code).toBe(5)
  // There is no repository: git itself fails, which shows that it ran.
  expect((await run(approve, asIn('one'))).code).toBe(128)
  expect((await hub.get(first.id)).usedAt).not.toBeNull()
})
