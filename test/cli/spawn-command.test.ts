import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'

const program = join(import.meta.dirname, 'processes/run-command.ts')

it('forwards a signal that arrives while the command is being started', async () => {
  // As early as can be: the command signals us first. Many at once make the moment as long as it gets.
  const script = 'trap "exit 9" TERM; kill -TERM $PPID; for second in 1 2 3 4 5; do sleep 1; done'
  const exits = Array.from({ length: 12 }, async () => {
    const child = spawn(process.execPath, [program, 'sh', '-c', script], { stdio: 'ignore' })
    const [code, signal] = await once(child, 'exit')
    return signal ?? code
  })
  expect(await Promise.all(exits)).toEqual(Array(12).fill(9))
})

it('says in a sentence that a value is too long for the environment, and leaves the value unspent', async () => {
  const { hub, run, start, pending } = await createSandbox()
  const need = ['need', 'env_variable', 'LONG', '--description', 'a long one']
  const asking = start([...need, '--', 'true'])
  const { id } = await pending()
  await hub.answer(id, { value: 'x'.repeat(140_000) })
  const { code, stderr } = await asking.result
  expect({ code, stderr }).toMatchObject({ stderr: expect.stringMatching(/too long \(E2BIG\)/) })
  expect(stderr).not.toMatch(/^ +at /m)
  expect(code).not.toBe(0)
  expect((await run(['show', id])).code).toBe(0)
})
