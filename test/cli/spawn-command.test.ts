import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSandbox, launcher } from './sandbox.ts'

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

it('says in a sentence that an agent could not be started for want of descriptors, and marks its run', async () => {
  const { hub, env, cwd } = await createSandbox()
  const reason = 'The holder of the run could not be started: this process has too many files open (EMFILE)'
  const script = 'ulimit -n $0; exec "$@"'
  // How many it needs until then differs between machines and versions of Node.
  for (let limit = 24; limit < 64; limit += 1) {
    const args = ['-c', script, String(limit), process.execPath, launcher, 'run', '--', 'true']
    const child = spawn('sh', args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
    const closed = once(child, 'close')
    const stderr = (await child.stderr.setEncoding('utf8').toArray()).join('')
    const [code] = await closed
    if (!stderr.includes(reason)) continue
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 })
    const runs = await hub.runs.list()
    expect(runs.find(run => run.reason?.includes(reason))).toMatchObject({ status: 'failed' })
    return
  }
  throw new Error('no limit kept the holder from starting')
})
