import { copyFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
  writeFileSync(join(cwd, 'agent.sh'), script.replace('\ncat\n', '\nread -r answer; echo "heard $answer"\n'))
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

/** A home of its own with a request, a backup from before a second one, and a command that waits for the second. */
async function askAndWait() {
  const sandbox = await createSandbox()
  const { root, cwd, env, run, json, start } = sandbox
  env.BECKON_HOME = join(root, 'own home')
  const database = join(env.BECKON_HOME, 'beckon.db')
  await run(['ask', '--async', 'First?'])
  expect((await run(['backup', 'copy.db'])).code).toBe(0)
  const waiting = start(['ask', 'Second?'])
  const questions = async () => {
    const { document } = await json(['list'])
    return document.requests.map((request: { questions: { question: string }[] }) => request.questions[0]?.question)
  }
  await until(async () => (await questions()).includes('Second?'), 'the question')
  return { ...sandbox, database, backup: join(cwd, 'copy.db'), waiting, questions }
}

const itsLog = /beckon\.db\.set-aside-\w+(?=-wal\b)/

it('keeps the log of a database that was replaced away from the one in its place', async () => {
  const { run, database, backup, waiting, questions } = await askAndWait()
  copyFileSync(backup, `${database}.next`)
  renameSync(`${database}.next`, database)
  expect(await waiting.result).toMatchObject({ code: 74, stderr: expect.stringMatching(itsLog) })
  expect(await questions()).toEqual(['First?'])
  expect((await run(['doctor'])).code).toBe(0)
})

it('says where it puts the log of a database that was moved away, and restores both', async () => {
  const { run, database, waiting, questions } = await askAndWait()
  // A command that is killed leaves its log behind.
  waiting.child.kill('SIGKILL')
  await waiting.result
  renameSync(database, `${database}.moved`)
  const { code, stdout, stderr } = await run(['list', '--json'])
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(itsLog) })
  expect(await questions()).toEqual([])
  const [aside = ''] = itsLog.exec(stderr) ?? []
  renameSync(`${database}.moved`, join(database, '..', aside))
  expect((await run(['restore-database', join(database, '..', aside)])).code).toBe(0)
  expect(await questions()).toEqual(['First?', 'Second?'])
})
