import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runShell } from '../../src/agent/tools/shell.ts'
import { createSandbox, launcher } from '../cli/sandbox.ts'

const signal = new AbortController().signal

it('the shell of the agent stays, so that nothing it starts passes for a person', async () => {
  const { ask, hub, home, cwd, root } = await createSandbox()
  const { id } = await ask({ questions: [{ question: 'Ship it?' }] })
  const command = `env -u BECKON_RUN ${process.execPath} ${launcher} answer ${id} yes`
  const env = { PATH: process.env.PATH, BECKON_HOME: home, BECKON_RUN: 'run_1' }
  const { output, failed } = await runShell({
    command,
    cwd,
    env,
    signal,
    timeout: 20_000,
    outputFile: join(root, 'out'),
    onOutput: () => {},
  })
  expect({ output, failed }).toEqual({ output: expect.stringContaining('is for people'), failed: true })
  expect((await hub.get(id)).status).toBe('pending')
})

it('the shell reads a command as it is written, and exits as it does', async () => {
  const { cwd, root } = await createSandbox()
  const run = (command: string) =>
    runShell({
      command,
      cwd,
      env: process.env,
      signal,
      timeout: 20_000,
      outputFile: join(root, 'out'),
      onOutput: () => {},
    })
  expect(await run('echo "$#" "$0"; set -o pipefail; false | true')).toEqual({
    output: '0 bash\n(exit code 1)',
    failed: true,
  })
  expect(await run('cat <<E\na $((1 + 1))\nE')).toEqual({ output: 'a 2' })
  expect(await run("echo 'a \" b' # and that")).toEqual({ output: 'a " b' })
  expect((await run('echo (')).output).toContain('syntax error')
})
