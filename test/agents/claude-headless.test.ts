import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { recoveryLockFile } from '../../src/supervisor/recovery/start-recovery.ts'
import { createLock } from '../../src/system/lock-file.ts'
import { hookSettings } from './claude-hooks.ts'
import { type AgentSandbox, createAgentSandbox, until } from './harness.ts'

describe('claude -p with the hooks', () => {
  it('runs what a person allows or changes, and nothing that a person declines or the guard refuses', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent('claude')
    const running = await agent.start({
      prompt: 'Work',
      config: hookSettings(sandbox.home),
      turns: [
        ({ shell }) => shell('git push --force; echo allowed >> ran'),
        ({ shell }) => shell('git push --force; echo proposed >> ran'),
        ({ shell }) => shell('git push --force; echo declined >> ran'),
        ({ shell }) => shell('rm -rf /'),
        ({ tool }) => tool('Write', { file_path: join(agent.cwd, 'note.txt'), content: 'written' }),
        () => ({ text: 'Finished.' }),
      ],
    })
    await sandbox.answer((await sandbox.pending('allowed')).id, 'yes')
    const proposed = await sandbox.pending('proposed')
    await sandbox.hub.answer(proposed.id, { value: 'yes', edited: 'echo changed >> ran' })
    const declined = await sandbox.pending('echo declined')
    expect(declined).toMatchObject({ kind: 'approval', agent: { name: 'claude-code' }, session: expect.any(String) })
    await sandbox.hub.decline(declined.id, { reason: 'not on a Friday' })
    await sandbox.answer((await sandbox.pending('note.txt')).id, 'yes')
    const { code, output } = await running.finished
    expect(code, output).toBe(0)
    expect(readFileSync(join(agent.cwd, 'ran'), 'utf8')).toBe('allowed\nchanged\n')
    expect(readFileSync(join(agent.cwd, 'note.txt'), 'utf8')).toBe('written')
    const [, , refusedByPerson, refusedByGuard] = running.results()
    expect(refusedByPerson).toContain('A person said no: not on a Friday')
    expect(refusedByGuard).toContain("Beckon's guard refuses it")
    expect(await open(sandbox)).toEqual([])
  })

  it('raises one request where the hook and the permission tool are both asked', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent('claude')
    const question = {
      question: '어느 DB?',
      header: 'DB',
      multiSelect: false,
      options: [option('SQLite'), option('none')],
    }
    const running = await agent.start({
      prompt: 'Work',
      config: hookSettings(sandbox.home),
      mcp: { args: ['--permission-host'] },
      args: ['--permission-prompt-tool', 'mcp__beckon__permission'],
      turns: [
        ({ tool }) => tool('AskUserQuestion', { questions: [question] }),
        ({ tool }) => tool('Write', { file_path: join(agent.cwd, 'note.txt'), content: 'written' }),
        ({ shell }) => shell('git push --force; echo allowed >> ran'),
      ],
    })
    await sandbox.answer((await sandbox.pending('어느 DB?')).id, 'SQLite')
    await sandbox.answer((await sandbox.pending('note.txt')).id, 'yes')
    await sandbox.answer((await sandbox.pending('allowed')).id, 'yes')
    const { code, output } = await running.finished
    expect(code, output).toBe(0)
    expect(running.results()[0]).toContain('"어느 DB?"="SQLite"')
    expect(readFileSync(join(agent.cwd, 'note.txt'), 'utf8')).toBe('written')
    expect(readFileSync(join(agent.cwd, 'ran'), 'utf8')).toBe('allowed\n')
    const { requests } = await sandbox.hub.list({ status: 'all' })
    expect(requests.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'question answered',
      'approval answered',
      'approval answered',
    ])
  })

  it('defers, is answered an hour later, and resumes by itself: the command runs once', async () => {
    const sandbox = await createAgentSandbox()
    const { agent, request, run } = await defer(sandbox, 'git push --force; echo ran >> ran')
    anHourPasses(sandbox)
    // The recovery process is killed before it wakes the run: its lock is still there, and nobody works.
    const lock = createLock(recoveryLockFile(sandbox.home))
    expect(lock.take()).toBe(true)
    await sandbox.answer(request.id, 'yes')
    expect(await sandbox.hub.runs.get(run)).toMatchObject({ status: 'asleep', waiting: [] })
    lock.release()
    // The next command of a person wakes it, and another one at the same time changes nothing.
    await Promise.all([sandbox.run(['list']), sandbox.run(['list'])])
    await until(async () => (await sandbox.hub.runs.get(run)).endedAt, 'the end of the run', 30_000)
    expect(await sandbox.hub.runs.get(run)).toMatchObject({ status: 'completed', exitCode: 0 })
    expect(readFileSync(join(agent.cwd, 'ran'), 'utf8')).toBe('ran\n')
    expect((await sandbox.run(['runs', 'logs', run])).stdout).toContain('Resumed with 1 result.')
    expect(await open(sandbox)).toEqual([])
  })

  it('does not run a command again when it is killed after the yes was spent', async () => {
    const sandbox = await createAgentSandbox()
    const command = 'git push --force; echo ran >> ran; while [ ! -e go ]; do sleep 0.05; done'
    const { agent, request, run } = await defer(sandbox, command)
    await sandbox.answer(request.id, 'yes')
    await until(() => existsSync(join(agent.cwd, 'ran')), 'the command to run', 30_000)
    const { pid } = await sandbox.hub.runs.get(run)
    process.kill(pid ?? 0, 'SIGKILL')
    writeFileSync(join(agent.cwd, 'go'), '')
    await sandbox.run(['list'])
    await until(async () => (await sandbox.hub.runs.get(run)).endedAt, 'the end of the run', 30_000).catch(
      async error => {
        const found = { run: await sandbox.hub.runs.get(run), ...(await sandbox.hub.list({ status: 'all' })) }
        throw new Error(`${error.message}: ${JSON.stringify(found)}`)
      },
    )
    expect(readFileSync(join(agent.cwd, 'ran'), 'utf8')).toBe('ran\n')
    expect(await open(sandbox)).toEqual([])
  })
})

/** A session that ended because nobody answered within a second. */
async function defer(sandbox: AgentSandbox, command: string) {
  const agent = await sandbox.agent('claude')
  const running = await agent.start({
    prompt: 'Work',
    config: hookSettings(sandbox.home, ['--resume', '--wait', '1s']),
    args: ['--allowedTools', 'Bash', '--output-format', 'json'],
    turns: [({ shell }) => shell(command), ({ results }) => ({ text: `Resumed with ${results.length} result.` })],
  })
  const { code, output } = await running.finished
  const { stop_reason: reason, session_id: session } = JSON.parse(output)
  expect({ code, reason }, output).toEqual({ code: 0, reason: 'tool_deferred' })
  const request = await sandbox.pending()
  expect(await sandbox.hub.runs.get(request.run ?? '')).toMatchObject({ status: 'asleep', session })
  return { agent, request, run: request.run ?? '' }
}

function option(label: string) {
  return { label, description: `About ${label}` }
}

async function open({ hub }: AgentSandbox) {
  return (await hub.list()).requests.map(({ id }) => id)
}

/** Everything that was stored so far is an hour older. */
function anHourPasses({ home }: AgentSandbox) {
  const database = new Database(join(home, 'beckon.db'))
  database.exec('UPDATE requests SET created_at = created_at - 3600000')
  database.exec('UPDATE runs SET started_at = started_at - 3600000')
  database.close()
}
