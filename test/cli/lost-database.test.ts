import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endAll } from '../../src/supervisor/processes/processes.ts'
import { createSandbox, until } from './sandbox.ts'

// The agent asks once the database is gone, and prints what it reads.
const script = String.raw`
echo works
until [ -e asks ]; do sleep 0.01; done
printf '[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, b]\n[/USER_QUESTION]\n'
cat
`

it('does not blame the agent that asks when the database of its run is deleted', async () => {
  const { root, home, cwd, start, atEnd } = await createSandbox()
  const database = join(root, 'run.db')
  writeFileSync(join(cwd, 'agent.sh'), script)
  const running = start(['run', '--', 'bash', 'agent.sh'], { env: { BECKON_DB: database } })
  await until(() => running.written().stdout.includes('works'), 'the agent')
  const [run = ''] = readdirSync(join(home, 'runs'))
  atEnd(() => endAll(run, { grace: 100 }))
  rmSync(database)
  writeFileSync(join(cwd, 'asks'), '')
  const { code, stdout, stderr } = await running.result
  expect({ code, stderr }).toEqual({ code: 74, stderr: expect.stringContaining(`${run} has lost its database`) })
  expect(stdout + stderr).not.toContain('cannot be read')
})
