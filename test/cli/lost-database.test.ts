import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
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

it('keeps a question for the next supervisor when the database cannot take it, and does not blame the agent', async () => {
  const { home, hub, cwd, start, pending, atEnd } = await createSandbox()
  writeFileSync(join(cwd, 'agent.sh'), script.replace('cat', 'read -r answer; echo "heard $answer"'))
  const running = start(['run', '--', 'bash', 'agent.sh'])
  await until(() => running.written().stdout.includes('works'), 'the agent')
  const [run = ''] = readdirSync(join(home, 'runs'))
  atEnd(() => endAll(run, { grace: 100 }))
  const putBack = claimNewerSchema(join(home, 'beckon.db'))
  writeFileSync(join(cwd, 'asks'), '')
  const { code, stdout, stderr } = await running.result
  expect({ code, stderr }).toEqual({ code: 74, stderr: expect.stringContaining('newer Beckon') })
  expect(stderr).toContain('beckon run --recover')
  expect(stdout + stderr).not.toContain('cannot be read')
  putBack()
  const recovering = start(['run', '--recover'])
  await hub.answer((await pending()).id, { value: 'b' })
  await recovering.result
  expect((await hub.runs.get(run)).status).toBe('completed')
  const { stdout: log } = await start(['runs', 'logs', run]).result
  expect(log).toContain('heard b')
})

function claimNewerSchema(file: string): () => void {
  const before = setVersion(9_999)
  return () => void setVersion(before)

  function setVersion(version: number): number {
    const database = new Database(file)
    const before = Number(database.pragma('user_version', { simple: true }))
    database.pragma(`user_version = ${version}`)
    database.close()
    return before
  }
}
