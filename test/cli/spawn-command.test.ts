import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'

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
