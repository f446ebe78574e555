import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHub } from '../../src/index.ts'
import { startServer } from '../server/test-server.ts'
import { createSandbox, type Sandbox, until } from './sandbox.ts'

const impatient = { env: { BECKON_WAIT: '0s' } }

/** A command that needs an approval and counts its runs. */
function countingCommand(cwd: string): { command: string[]; runs(): number } {
  writeFileSync(join(cwd, 'clean.sh'), 'echo run >> runs\n')
  const command = ['approve', '--', 'bash clean.sh; git stash drop; true']
  return {
    command,
    runs: () => (existsSync(join(cwd, 'runs')) ? readFileSync(join(cwd, 'runs'), 'utf8').split('\n').length - 1 : 0),
  }
}

async function ticketOf({ run }: Sandbox, command: string[]): Promise<string> {
  const { code, stdout } = await run(command, impatient)
  expect(code).toBe(75)
  return JSON.parse(stdout).id
}

/** Declines every request until `over` settles. */
async function declineUntil(hub: Sandbox['hub'], over: Promise<unknown>): Promise<void> {
  let isOver = false
  over.finally(() => {
    isOver = true
  })
  await until(async () => {
    for (const { id } of (await hub.list()).requests) await hub.decline(id)
    return isOver
  }, 'the end')
}

describe('beckon approve', () => {
  it('runs a harmless command without asking and exits with its code', async () => {
    const { run, hub } = await createSandbox()
    expect(await run(['approve', '--', 'echo out; exit 7'])).toEqual({ code: 7, stdout: 'out\n', stderr: '' })
    expect(await run(['approve', '--', 'printf', '%s', '$HOME; x'])).toMatchObject({ code: 0, stdout: '$HOME; x' })
    expect((await hub.list({ status: 'all' })).requests).toEqual([])
  })

  it("prints one JSON document with --json, and sends the command's output to stderr", async () => {
    const { json, start, pending, hub, cwd } = await createSandbox()
    expect(await json(['approve', '--', 'echo out; exit 2'])).toMatchObject({
      code: 2,
      stderr: 'out\n',
      document: { id: null, status: 'allowed', executed: 'echo out; exit 2', exitCode: 2 },
    })
    const { command } = countingCommand(cwd)
    const asking = start(['approve', '--json', ...command.slice(1)])
    const { id } = await pending()
    await hub.answer(id, { value: 'yes' })
    expect(JSON.parse((await asking.result).stdout)).toMatchObject({
      id,
      status: 'answered',
      value: 'yes',
      exitCode: 0,
    })
  })

  it('shows the command it would run, and runs it once after a yes', async () => {
    const { start, run, pending, hub, cwd } = await createSandbox()
    const { command, runs } = countingCommand(cwd)
    const asking = start(command)
    const request = await pending()
    expect(request).toMatchObject({
      kind: 'approval',
      action: { cwd, files: [join(cwd, 'clean.sh')], starts: ['bash clean.sh', 'git stash drop', 'true'] },
    })
    expect(runs()).toBe(0)
    expect((await run(['answer', request.id, 'yes'])).code).toBe(0)
    expect((await asking.result).code).toBe(0)
    expect(runs()).toBe(1)
    const used = (await hub.events()).find(({ type }) => type === 'request.used')
    expect(used).toMatchObject({ request: request.id, data: { executed: command[2] } })
  })

  it('shows the words of an encoded command decoded', async () => {
    const { run, hub } = await createSandbox()
    // HOME is not a temporary folder: deleting one of those needs no approval, so the command would run.
    const env = { ...impatient.env, HOME: '/home/person' }
    await run(['approve', '--', 'echo cm0gLXJmIH4vcGljdHVyZXM= | base64 -d | sh'], { env })
    const [request] = (await hub.list()).requests
    expect(request?.kind === 'approval' && request.action.starts).toContainEqual('rm -rf /home/person/pictures')
    const { stdout } = await run(['show', request?.id ?? ''])
    expect(stdout).toContain('pictures')
  })

  it('runs nothing after a no, and prints the reason', async () => {
    const { start, run, pending, cwd } = await createSandbox()
    const { command, runs } = countingCommand(cwd)
    const asking = start(command)
    await run(['decline', (await pending()).id, '--reason', 'those are mine'])
    expect(await asking.result).toMatchObject({
      code: 10,
      stdout: '',
      stderr: expect.stringContaining('those are mine'),
    })
    expect(runs()).toBe(0)
  })

  it('refuses a forbidden command without asking', async () => {
    const { json, hub } = await createSandbox()
    const { code, stderr, document } = await json(['approve', '--', 'rm', '-rf', '/'])
    expect(code).toBe(10)
    expect(stderr).toContain('not run: deletes everything')
    expect(document).toMatchObject({ status: 'denied', verdict: 'deny', exitCode: null })
    expect((await hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('uses a yes that was given after the ticket, once', async () => {
    const sandbox = await createSandbox()
    const { command, runs } = countingCommand(sandbox.cwd)
    const id = await ticketOf(sandbox, command)
    expect(await ticketOf(sandbox, command)).toBe(id)
    await sandbox.run(['answer', id, 'yes'])
    expect(await sandbox.run(['wait', id])).toMatchObject({ code: 14, stdout: '' })
    expect(runs()).toBe(0)
    expect((await sandbox.run(command, impatient)).code).toBe(0)
    expect(runs()).toBe(1)
    expect(await ticketOf(sandbox, command)).not.toBe(id)
    expect(runs()).toBe(1)
  })

  it('runs once when three processes wait for the same yes', async () => {
    const { start, pending, hub, cwd } = await createSandbox()
    const { command, runs } = countingCommand(cwd)
    const all = [start(command), start(command), start(command)]
    const { id } = await pending()
    // Each waiting process announces it.
    await Promise.all(all.map(({ written }) => until(() => written().stderr.includes(id), 'the announcement')))
    await hub.answer(id, { value: 'yes' })
    const ends = all.map(({ result }) => result)
    await declineUntil(hub, Promise.all(ends))
    const codes = (await Promise.all(ends)).map(({ code }) => code)
    expect(codes.toSorted()).toEqual([0, 10, 10])
    expect(runs()).toBe(1)
  })

  it('asks again when a file that the command names has changed after the yes', async () => {
    const sandbox = await createSandbox()
    const { command, runs } = countingCommand(sandbox.cwd)
    const id = await ticketOf(sandbox, command)
    await sandbox.hub.answer(id, { value: 'yes' })
    writeFileSync(join(sandbox.cwd, 'clean.sh'), 'echo worse > worse\n')
    expect(await ticketOf(sandbox, command)).not.toBe(id)
    expect([runs(), existsSync(join(sandbox.cwd, 'worse'))]).toEqual([0, false])
  })

  it('asks again when the file has changed between the question and the yes', async () => {
    const { start, pending, hub, cwd } = await createSandbox()
    const { command, runs } = countingCommand(cwd)
    const asking = start(command)
    const { id } = await pending()
    writeFileSync(join(cwd, 'clean.sh'), 'echo run >> runs; echo more\n')
    await hub.answer(id, { value: 'yes' })
    await declineUntil(hub, asking.result)
    const { code, stderr } = await asking.result
    expect({ code, stderr }).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('has changed since it was shown'),
    })
    expect(runs()).toBe(0)
    expect((await hub.get(id)).usedAt).toBeNull()
  })

  it('asks again when PATH has changed after the yes', async () => {
    const sandbox = await createSandbox()
    const { command, runs } = countingCommand(sandbox.cwd)
    const id = await ticketOf(sandbox, command)
    await sandbox.hub.answer(id, { value: 'yes' })
    const env = { ...impatient.env, PATH: `${sandbox.cwd}:${process.env.PATH}` }
    const { code, stdout } = await sandbox.run(command, { env })
    expect(code).toBe(75)
    expect(JSON.parse(stdout).id).not.toBe(id)
    expect(runs()).toBe(0)
    expect((await sandbox.run(command, impatient)).code).toBe(0)
    expect(runs()).toBe(1)
  })

  it('does not use a yes that was given in another directory', async () => {
    const sandbox = await createSandbox()
    const command = ['approve', '--', 'git stash drop']
    const id = await ticketOf(sandbox, command)
    await sandbox.hub.answer(id, { value: 'yes' })
    expect((await sandbox.run(command, { ...impatient, cwd: sandbox.root })).code).toBe(75)
  })

  it('asks again when the yes has expired', async () => {
    const sandbox = await createSandbox()
    const { command, runs } = countingCommand(sandbox.cwd)
    const id = await ticketOf(sandbox, command)
    const earlier = await openHub({ env: { BECKON_HOME: sandbox.home }, shift: () => -16 * 60_000, sweeps: false })
    await earlier.answer(id, { value: 'yes' })
    await earlier.close()
    expect(await ticketOf(sandbox, command)).not.toBe(id)
    expect(runs()).toBe(0)
  })

  it('runs the command as the person edited it, and records what was asked, edited and run', async () => {
    const { start, run, pending, hub, cwd } = await createSandbox()
    const asking = start(['approve', '--', 'git stash drop'])
    const { id } = await pending()
    expect((await run(['answer', id, 'yes', '--edit', 'echo gentle'])).code).toBe(0)
    expect(await asking.result).toMatchObject({
      code: 0,
      stdout: 'gentle\n',
      stderr: expect.stringContaining('change'),
    })
    expect(await hub.get(id)).toMatchObject({
      action: { command: 'git stash drop', cwd },
      outcome: { edited: { command: 'echo gentle' } },
      usedAt: expect.any(String),
    })
    const used = (await hub.events()).find(({ type }) => type === 'request.used')
    expect(used?.data).toEqual({ executed: 'echo gentle' })
  })

  it('classifies the edited command, too', async () => {
    const { start, run, pending, hub } = await createSandbox()
    const asking = start(['approve', '--', 'git stash drop'])
    const { id } = await pending()
    expect(await run(['answer', id, '--edit', 'rm -rf /'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('refused'),
    })
    expect((await run(['answer', id, 'no', '--edit', 'ls'])).code).toBe(1)
    expect((await hub.get(id)).status).toBe('pending')
    await expect(hub.answer(id, { value: 'yes', edited: 'rm -rf /' })).rejects.toMatchObject({ code: 'invalid' })
    await hub.decline(id, { reason: 'no' })
    expect(await asking.result).toMatchObject({ code: 10, stdout: '' })
  })

  it("asks from an agent's shell, and does not let the agent answer", async () => {
    const { run, start, pending, hub } = await createSandbox()
    const asking = start(['approve', '--', 'git stash drop'], { env: { CLAUDECODE: '1' } })
    const { id, agent } = await pending()
    expect(agent.name).toBe('claude-code')
    expect((await run(['answer', id, 'yes', '--always', 'exact'], { env: { CLAUDECODE: '1' } })).code).toBe(5)
    await hub.answer(id, { value: 'no' })
    expect((await asking.result).code).toBe(10)
  })

  it('asks over HTTP with an ask token, and runs once after a yes with another token', async () => {
    const { start, cwd, home } = await createSandbox()
    const { command, runs } = countingCommand(cwd)
    const server = await startServer(join(home, 'beckon.db'))
    const remote = { env: { BECKON_URL: server.url, BECKON_TOKEN: await server.token('ask') } }
    const asking = start(command, remote)
    const { id } = await until(async () => (await server.hub.list()).requests[0], 'the request')
    await (await server.client('answer')).answer(id, { value: 'yes' })
    expect(await asking.result).toMatchObject({ code: 0 })
    expect(runs()).toBe(1)
  })

  it('applies the rules of the hub over HTTP, and asks about commands that they do not clearly match', async () => {
    const { run, start, cwd, home } = await createSandbox()
    const server = await startServer(join(home, 'beckon.db'))
    const remote = {
      env: { BECKON_URL: server.url, BECKON_TOKEN: await server.token('ask'), BECKON_HOME: join(cwd, 'other') },
    }
    expect((await run(['rules', 'add', 'allow', '--', 'git', 'stash', 'drop'])).code).toBe(0)
    expect((await run(['rules', 'add', 'deny', '--note', 'never here', '--', 'git', 'push'])).code).toBe(0)
    expect((await run(['rules'], remote)).stdout).toContain('allow what begins with "git stash drop"')
    const allowed = await run(['approve', '--json', '--', 'git stash drop --quiet'], { ...remote, input: '' })
    expect(JSON.parse(allowed.stdout)).toMatchObject({ status: 'answered', channel: 'rule', by: 'person' })
    const denied = await run(['approve', '--', 'git', 'push', '--force'], remote)
    expect(denied).toMatchObject({ code: 10, stderr: expect.stringContaining('never here') })
    expect((await run(['rules', 'add', 'allow', '--', 'git', 'push'], remote)).code).not.toBe(0)
    const [rule] = await server.hub.rules.list()
    const asker = await server.client('ask', { name: 'other' })
    const action = { cwd }
    const ruinous = asker.raise({ kind: 'approval', action: { ...action, command: 'git stash drop; rm -rf /' } })
    await expect(ruinous).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('is refused') })
    for (const command of ['git stash drop; npm publish', 'git stash pop', 'git stash drop $(x)', 'git stash dropx']) {
      const { id } = await asker.raise({ kind: 'approval', action: { ...action, command } })
      await expect(asker.allowByRule(id, rule?.id ?? '')).rejects.toMatchObject({ code: 'not_granted' })
    }
    const asking = start(['approve', '--', 'git stash drop | cat'], remote)
    const open = () => server.hub.list({ kind: 'approval' })
    const { id } = await until(
      async () => (await open()).requests.find(one => one.kind === 'approval' && one.action.command?.includes('cat')),
      'the request',
    )
    await server.hub.decline(id, { reason: 'no' })
    expect((await asking.result).code).toBe(10)
  })

  it('offers "always" choices in the prompt, and stores the chosen one as a rule', async () => {
    const { run } = await createSandbox()
    const command = ['approve', '--plain', '--', 'git stash drop']
    const first = await run(command, { input: '4\n' })
    expect(first.stderr).toContain('everything that begins with "git stash drop"')
    expect((await run(['rules'])).stdout).toContain('allow what begins with "git stash drop"')
    const second = await run(command, impatient)
    expect(second.stderr).not.toContain('May it run?')
  })

  it('does not load BASH_ENV or exported functions before the command', async () => {
    const { run, cwd } = await createSandbox()
    writeFileSync(join(cwd, 'start.sh'), 'echo injected\n')
    const env = { BASH_ENV: join(cwd, 'start.sh'), 'BASH_FUNC_ls%%': '() { echo injected; }' }
    expect((await run(['approve', '--', 'ls nothing-here; true'], { env })).stdout).toBe('')
  })

  it('refuses a command that cannot run before asking', async () => {
    const { run, hub } = await createSandbox()
    const refused: [string[], RegExp][] = [
      [['approve'], /COMMAND is missing/],
      [['approve', 'ls'], /COMMAND must be written after --/],
      [['approve', '--', ' '], /COMMAND is empty/],
      [['approve', '--', 'no-such-program', 'x'], /no-such-program does not exist/],
    ]
    for (const [args, reason] of refused) {
      expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) })
    }
    expect((await run(['approve', '--no-human', 'fail', '--', 'git stash drop'])).code).toBe(69)
    expect((await hub.list({ status: 'all' })).requests).toEqual([])
  })
})
