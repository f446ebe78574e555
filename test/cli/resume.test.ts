import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHub } from '../../src/index.ts'
import type { Request } from '../../src/protocol/index.ts'
import { startServer } from '../server/test-server.ts'
import { createSandbox, type Sandbox, until } from './sandbox.ts'

const impatient = { env: { BECKON_WAIT: '0s' } }
const secret = 'sk-canary-31337'
const needSecret = ['need', 'api_key', 'STRIPE_KEY', '--description', 'a test key']
const needFile = ['need', 'file', 'SCHEMA', '--description', 'which one?']

/** Appends the directory that it runs in to a file beside the sandbox, and asks because of the stash. */
function approvedCommand({ root }: Sandbox): { command: string[]; ranIn(): string[] } {
  return { command: ['approve', '--', `pwd >> ${root}/ran; git stash drop; true`], ranIn: () => linesOf(`${root}/ran`) }
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

/** Asks with a command that does not wait, and returns its ticket. */
async function ticketOf({ run }: Sandbox, command: string[], env: Record<string, string | undefined> = {}) {
  const { code, stdout } = await run(command, { env: { ...impatient.env, ...env } })
  expect(code).toBe(75)
  return JSON.parse(stdout)
}

function folderBeside({ root }: Sandbox): string {
  mkdirSync(join(root, 'elsewhere'), { recursive: true })
  return join(root, 'elsewhere')
}

describe('a ticket', () => {
  it('names the command that really goes on, for every kind of request', async () => {
    const sandbox = await createSandbox()
    const question = await ticketOf(sandbox, ['ask', 'Ship it?'])
    const wait = `beckon wait ${question.id}`
    expect(question).toEqual({ status: 'pending', id: question.id, wait, resume: wait })
    const approval = await ticketOf(sandbox, ['approve', '--', 'git stash drop'])
    expect(approval).toEqual({
      status: 'pending',
      id: approval.id,
      wait: `beckon wait ${approval.id}`,
      resume: `beckon approve --resume ${approval.id}`,
    })
    const file = await ticketOf(sandbox, needFile)
    expect(file.resume).toBe(`beckon need --resume ${file.id}`)
    const command = ['sh', '-c', `echo "it's $STRIPE_KEY"`]
    const key = await ticketOf(sandbox, [...needSecret, '--', ...command])
    expect(key.resume).toBe(`beckon need --resume ${key.id} -- sh -c 'echo "it'\\''s $STRIPE_KEY"'`)
    expect((await ticketOf(sandbox, ['wait', approval.id])).resume).toBe(approval.resume)
    const review = await sandbox.ask({ kind: 'review', title: 'Phase 1' })
    expect((await ticketOf(sandbox, ['wait', review.id])).resume).toBe(`beckon wait ${review.id}`)
  })

  it('is the same with --async, on SIGTERM, and on stderr', async () => {
    const { run, start, pending, hub } = await createSandbox()
    const approve = ['approve', '--async', '--', 'git stash drop']
    const ticket = JSON.parse((await run(approve)).stdout)
    expect(ticket.resume).toBe(`beckon approve --resume ${ticket.id}`)
    await hub.cancel(ticket.id)
    const needing = start([...needSecret, '--', 'true', 'a b'])
    const { id } = await pending()
    await until(() => needing.written().stderr.includes(id), 'the announcement')
    needing.child.kill('SIGTERM')
    const { code, stdout, stderr } = await needing.result
    expect({ code, resume: JSON.parse(stdout).resume }).toEqual({
      code: 75,
      resume: `beckon need --resume ${id} -- true 'a b'`,
    })
    expect(stderr).toContain(`To continue: beckon need --resume ${id} -- true 'a b'\n`)
  })

  it('is replaced by a line on stderr when nobody reads stdout', async () => {
    const { start, pending, hub } = await createSandbox()
    const handingOut = start(['approve', '--async', '--', 'git stash drop'])
    handingOut.child.stdout?.destroy()
    const { code, stderr } = await handingOut.result
    const { id } = await pending()
    expect({ code, stderr }).toEqual({
      code: 75,
      stderr: `beckon: ${id} stays open. To continue: beckon approve --resume ${id}\n`,
    })
    await hub.cancel(id)
    const needing = start(needSecret)
    const key = await pending()
    needing.child.stdout?.destroy()
    await hub.answer(key.id, { value: secret })
    const undelivered = await needing.result
    expect(undelivered.code).toBe(75)
    expect(undelivered.stderr).toMatch(new RegExp(`not delivered.* run: beckon need --resume ${key.id}\n$`))
  })

  it('keeps the words of the command exact, and the terminal safe from them', async () => {
    const { run } = await createSandbox()
    const words = ['printf', '\x1b[2J\u202e', 'line\nbreak', '', '$HOME `x` "y"', '가나']
    const { stdout, stderr } = await run([...needSecret, '--', ...words], impatient)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/)
    const { resume, id } = JSON.parse(stdout)
    expect(resume.startsWith(`beckon need --resume ${id} -- printf `)).toBe(true)
    const { stdout: read } = await run(['approve', '--', `set -- ${resume.split(' -- ')[1]}; printf '%s\\0' "$@"`])
    expect(read.split('\0').slice(0, -1)).toEqual(words)
  })
})

describe('beckon wait', () => {
  it('runs nothing on a yes, says what to type, and exits 14 until that is done', async () => {
    const sandbox = await createSandbox()
    const { command, ranIn } = approvedCommand(sandbox)
    const { id, resume } = await ticketOf(sandbox, command)
    await sandbox.run(['answer', id, 'yes'])
    const { code, stdout, stderr } = await sandbox.run(['wait', id])
    expect({ code, stdout }).toEqual({ code: 14, stdout: '' })
    expect(stderr).toBe(`beckon: Answered by person (cli): yes. Nothing was run. To continue: ${resume}\n`)
    const { code: again, document } = await sandbox.json(['wait', id])
    expect({ again, document }).toMatchObject({ again: 14, document: { id, status: 'answered', value: 'yes', resume } })
    expect(ranIn()).toEqual([])
    expect((await sandbox.run(resume.split(' ').slice(1))).code).toBe(0)
    expect(await sandbox.run(['wait', id])).toEqual({ code: 0, stdout: 'yes\n', stderr: '' })
    expect((await sandbox.json(['wait', id])).document).not.toHaveProperty('resume')
    expect(ranIn()).toHaveLength(1)
  })

  it('prints the reference of a value that nobody used yet, and exits 14', async () => {
    const { run, json, ask, hub } = await createSandbox()
    const { id } = await ask({ kind: 'dependency', type: 'api_key', name: 'K', description: 'd' })
    await hub.answer(id, { value: secret })
    const reference = id.replace('req_', 'ref_')
    expect(await run(['wait', id])).toEqual({
      code: 14,
      stdout: `${reference}\n`,
      stderr: `beckon: Provided by tester (sdk). Nothing was run. To continue: beckon need --resume ${id} [-- COMMAND]\n`,
    })
    const { document } = await json(['wait', id])
    expect(document).toMatchObject({ reference, resume: `beckon need --resume ${id}` })
    await hub.use(id)
    expect(await run(['wait', id])).toEqual({ code: 0, stdout: `${reference}\n`, stderr: '' })
  })

  it('exits as before when nothing was granted', async () => {
    const { run, ask, hub, cwd } = await createSandbox()
    const { id } = await ask({ kind: 'approval', action: { command: 'x', cwd } })
    await hub.decline(id, { reason: 'no' })
    expect((await run(['wait', id])).code).toBe(10)
  })
})

describe('beckon approve --resume', () => {
  it('runs the command once after a yes, in the directory it was asked in', async () => {
    const sandbox = await createSandbox()
    const { command, ranIn } = approvedCommand(sandbox)
    const { id } = await ticketOf(sandbox, command)
    const cwd = folderBeside(sandbox)
    const resume = ['approve', '--resume', id]
    expect((await ticketOf(sandbox, resume)).resume).toBe(`beckon approve --resume ${id}`)
    await sandbox.run(['answer', id, 'yes'])
    expect((await sandbox.run(resume, { cwd })).code).toBe(0)
    expect(ranIn()).toEqual([sandbox.cwd])
    const { code, stderr } = await sandbox.run(resume, { cwd })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `beckon: ${id} was used already, and nothing runs twice. Ask again: beckon approve -- COMMAND\n`,
    })
    expect(ranIn()).toHaveLength(1)
    const used = (await sandbox.hub.events()).filter(({ type }) => type === 'request.used')
    expect(used).toMatchObject([{ request: id, data: { executed: command[2] } }])
  })

  it('waits for an answer that is not there yet, from elsewhere or typed right here', async () => {
    const sandbox = await createSandbox()
    const { command, ranIn } = approvedCommand(sandbox)
    const first = await ticketOf(sandbox, command)
    const resuming = sandbox.start(['approve', '--resume', first.id])
    await until(() => resuming.written().stderr.includes(first.id), 'the announcement')
    await sandbox.hub.answer(first.id, { value: 'yes' })
    expect((await resuming.result).code).toBe(0)
    const second = await ticketOf(sandbox, command)
    const typed = await sandbox.run(['approve', '--resume', second.id, '--plain'], { input: 'yes\n' })
    expect(typed.stderr).toContain('git stash drop')
    expect({ code: typed.code, ran: ranIn() }).toEqual({ code: 0, ran: [sandbox.cwd, sandbox.cwd] })
  })

  it('runs exactly the words that were given, without a shell', async () => {
    const sandbox = await createSandbox()
    const words = ['bash', '-c', 'printf "%s|" "$@" > words; git stash drop; true', 'bash', 'a  b', '$HOME', '']
    const { id } = await ticketOf(sandbox, ['approve', '--', ...words])
    expect(await sandbox.hub.get(id)).toMatchObject({ action: { argv: words } })
    await sandbox.hub.answer(id, { value: 'yes' })
    const { code, document, stderr } = await sandbox.json(['approve', '--resume', id], { cwd: folderBeside(sandbox) })
    expect({ code, document }, stderr).toMatchObject({ code: 0, document: { id, status: 'answered', exitCode: 0 } })
    expect(linesOf(join(sandbox.cwd, 'words'))).toEqual(['a  b|$HOME||'])
  })

  it('runs a script that begins and ends with line breaks as it was shown', async () => {
    const sandbox = await createSandbox()
    const { id } = await ticketOf(sandbox, ['approve', '--', '\n  echo once > out\n  git stash drop; true\n'])
    await sandbox.hub.answer(id, { value: 'yes' })
    expect((await sandbox.run(['approve', '--resume', id])).code).toBe(0)
    expect(linesOf(join(sandbox.cwd, 'out'))).toEqual(['once'])
  })

  it('exits with the outcome where there is no yes', async () => {
    const sandbox = await createSandbox()
    const { command, ranIn } = approvedCommand(sandbox)
    const asked = async () => (await ticketOf(sandbox, command)).id
    const codeOf = async (id: string) => (await sandbox.run(['approve', '--resume', id])).code
    const declined = await asked()
    await sandbox.hub.decline(declined, { reason: 'those are mine' })
    expect(await codeOf(declined)).toBe(10)
    const cancelled = await asked()
    await sandbox.hub.cancel(cancelled)
    expect(await codeOf(cancelled)).toBe(13)
    const expiring = await ticketOf(sandbox, ['approve', '--timeout', '1h', ...command.slice(1)])
    await sandbox.hub.reschedule(expiring.id, 1)
    expect(await codeOf(expiring.id)).toBe(12)
    expect(ranIn()).toEqual([])
  })

  it('runs what the person made of the command, and judges that again', async () => {
    const sandbox = await createSandbox()
    const { id } = await ticketOf(sandbox, ['approve', '--', 'git stash drop'])
    await sandbox.hub.answer(id, { value: 'yes', edited: 'pwd' })
    const cwd = folderBeside(sandbox)
    expect(await sandbox.run(['approve', '--resume', id], { cwd })).toMatchObject({
      code: 0,
      stdout: `${sandbox.cwd}\n`,
      stderr: expect.stringContaining('change'),
    })
    expect((await sandbox.run(['approve', '--resume', id], { cwd })).code).toBe(1)
    const worse = await ticketOf(sandbox, ['approve', '--', 'git stash drop'])
    await sandbox.hub.answer(worse.id, { value: 'yes', edited: 'echo gentle' })
    await sandbox.run(['rules', 'add', 'deny', '--', 'echo'])
    expect(await sandbox.run(['approve', '--resume', worse.id])).toMatchObject({ code: 10, stdout: '' })
    expect((await sandbox.hub.get(worse.id)).usedAt).toBeNull()
  })

  it('runs nothing when a rule forbids the command by now', async () => {
    const sandbox = await createSandbox()
    const { command, ranIn } = approvedCommand(sandbox)
    const { id } = await ticketOf(sandbox, command)
    await sandbox.hub.answer(id, { value: 'yes' })
    await sandbox.run(['rules', 'add', 'deny', '--note', 'never here', '--', 'git', 'stash'])
    expect(await sandbox.run(['approve', '--resume', id], { cwd: folderBeside(sandbox) })).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('never here'),
    })
    expect(ranIn()).toEqual([])
    expect((await sandbox.hub.get(id)).usedAt).toBeNull()
  })

  it('runs nothing when a file that the command names has changed since it was shown', async () => {
    const sandbox = await createSandbox()
    writeFileSync(join(sandbox.cwd, 'clean.sh'), 'echo shown\n')
    const { id } = await ticketOf(sandbox, ['approve', '--', 'bash clean.sh; git stash drop; true'])
    await sandbox.hub.answer(id, { value: 'yes' })
    writeFileSync(join(sandbox.cwd, 'clean.sh'), 'echo worse\n')
    expect(await sandbox.run(['approve', '--resume', id], { cwd: folderBeside(sandbox) })).toEqual({
      code: 1,
      stdout: '',
      stderr: `beckon: What ${id} shows has changed since, so its yes does not count. Ask again: beckon approve -- COMMAND\n`,
    })
    expect((await sandbox.hub.get(id)).usedAt).toBeNull()
  })

  it('leaves the call of a tool to the agent that asked', async () => {
    const { ask, run, json, hub, cwd } = await createSandbox()
    const action = { tool: 'Bash', input: { command: 'touch must-not-run; git stash drop' }, cwd }
    const { id } = await ask({ kind: 'approval', action })
    expect(JSON.parse((await run(['wait', id], impatient)).stdout).resume).toBe(`beckon wait ${id}`)
    await hub.answer(id, { value: 'yes' })
    expect(await run(['approve', '--resume', id])).toEqual({
      code: 1,
      stdout: '',
      stderr: `beckon: ${id} is a call of Bash: only the agent that asked can make it.\n`,
    })
    expect(await run(['wait', id])).toEqual({
      code: 14,
      stdout: '',
      stderr: 'beckon: Answered by tester (sdk): yes. Nothing was run. Only the agent that asked can use it.\n',
    })
    expect((await json(['wait', id])).document).toMatchObject({ value: 'yes', resume: null })
    expect(existsSync(join(cwd, 'must-not-run'))).toBe(false)
    expect((await hub.get(id)).usedAt).toBeNull()
  })

  it('runs nothing when the yes has lapsed', async () => {
    const sandbox = await createSandbox()
    const { command, ranIn } = approvedCommand(sandbox)
    const { id } = await ticketOf(sandbox, command)
    const earlier = await openHub({ env: { BECKON_HOME: sandbox.home }, shift: () => -16 * 60_000, sweeps: false })
    await earlier.answer(id, { value: 'yes' })
    await earlier.close()
    expect(await sandbox.json(['approve', '--resume', id])).toMatchObject({
      code: 1,
      document: { error: { code: 'lapsed' } },
    })
    expect(ranIn()).toEqual([])
  })

  it('keeps the yes when its directory is gone', async () => {
    const sandbox = await createSandbox()
    const gone = folderBeside(sandbox)
    const { stdout } = await sandbox.run(['approve', '--async', '--', 'git stash drop'], { cwd: gone })
    const { id } = JSON.parse(stdout)
    rmSync(gone, { recursive: true })
    const resume = ['approve', '--resume', id]
    const stderr = `beckon: ${id} was asked in ${gone}, and that directory does not exist any more.\n`
    expect(await sandbox.run(resume)).toEqual({ code: 1, stdout: '', stderr })
    await sandbox.hub.answer(id, { value: 'yes' })
    expect(await sandbox.run(resume)).toEqual({ code: 1, stdout: '', stderr })
    expect((await sandbox.hub.get(id)).usedAt).toBeNull()
  })

  it('runs once when three processes resume the same yes', async () => {
    const sandbox = await createSandbox()
    const { command, ranIn } = approvedCommand(sandbox)
    const { id } = await ticketOf(sandbox, command)
    const all = await raceFor(sandbox, ['approve', '--resume', id], id)
    await sandbox.hub.answer(id, { value: 'yes' })
    const ends = await Promise.all(all.map(({ result }) => result))
    expect(ends.map(({ code }) => code).toSorted()).toEqual([0, 1, 1])
    expect(ranIn()).toHaveLength(1)
  })

  it("takes an agent's own requests only", async () => {
    const sandbox = await createSandbox()
    const { run, hub, cwd } = sandbox
    const { command, ranIn } = approvedCommand(sandbox)
    const claude = { CLAUDECODE: '1' }
    const { id } = await ticketOf(sandbox, command, claude)
    await hub.answer(id, { value: 'yes' })
    const resume = ['approve', '--resume', id]
    expect((await run(resume, { env: { GEMINI_CLI: '1' } })).code).toBe(5)
    const elsewhere = await run(resume, { env: claude, cwd: folderBeside(sandbox) })
    expect(elsewhere).toMatchObject({ code: 5, stderr: expect.stringContaining(cwd) })
    const mine = await hub.runs.start({ command: ['agent'], cwd })
    expect((await run(resume, { env: { BECKON_RUN: mine.id } })).code).toBe(5)
    expect((await run(resume, { env: claude })).code).toBe(0)
    const inRun = await ticketOf(sandbox, command, { BECKON_RUN: mine.id })
    await hub.answer(inRun.id, { value: 'yes' })
    const again = ['approve', '--resume', inRun.id]
    expect((await run(again, { env: claude })).code).toBe(5)
    expect((await run(again, { env: { BECKON_RUN: mine.id }, cwd: folderBeside(sandbox) })).code).toBe(0)
    expect(ranIn()).toEqual([cwd, cwd])
  })

  it('refuses what it cannot resume', async () => {
    const { run, ask, hub } = await createSandbox()
    const question = await ask({ questions: [{ question: 'Ship it?' }] })
    const key = await ask({ kind: 'dependency', type: 'api_key', name: 'K', description: 'd' })
    const refused: [string[], RegExp, number?][] = [
      [['approve', '--resume', 'req_nowhere'], /There is no request req_nowhere/, 4],
      [
        ['approve', '--resume', question.id],
        new RegExp(`is a question, not an approval.*: beckon wait ${question.id}`),
      ],
      [['approve', '--resume', key.id], new RegExp(`is a dependency, .*: beckon need --resume ${key.id}`)],
      [['approve', '--resume', key.id, '--', 'ls'], /--resume runs the command that was approved/],
      [['approve', '--resume', key.id, '--why', 'x'], /--resume <id>' cannot be used with option '--why/],
      [['approve', '--resume', key.id, '--timeout', '1h'], /cannot be used with option '--timeout/],
      [['approve', '--resume', key.id, '--async'], /cannot be used with option '--async/],
      [['approve', '--resume', key.id, '--no-human', 'fail'], /cannot be used with option '--no-human/],
    ]
    for (const [args, reason, wanted = 1] of refused) {
      const { code, stderr } = await run(args)
      expect({ args, code, stderr }).toEqual({ args, code: wanted, stderr: expect.stringMatching(reason) })
      expect(stderr.trimEnd()).not.toContain('\n')
    }
    for (const { id } of [question, key]) expect((await hub.get(id)).status).toBe('pending')
  })

  it('works over HTTP, for the token that asked', async () => {
    const sandbox = await createSandbox()
    const { command, ranIn } = approvedCommand(sandbox)
    const server = await startServer(join(sandbox.home, 'beckon.db'))
    const remote = async () => ({ BECKON_URL: server.url, BECKON_TOKEN: await server.token('ask') })
    const env = await remote()
    const { id } = await ticketOf(sandbox, command, env)
    await server.hub.answer(id, { value: 'yes' })
    expect((await sandbox.run(['wait', id], { env })).code).toBe(14)
    const elsewhere = { env, cwd: folderBeside(sandbox) }
    expect((await sandbox.run(['approve', '--resume', id], { env: await remote() })).code).toBe(4)
    expect((await sandbox.run(['approve', '--resume', id], elsewhere)).code).toBe(0)
    expect((await sandbox.run(['approve', '--resume', id], elsewhere)).code).toBe(1)
    expect(ranIn()).toEqual([sandbox.cwd])
  })
})

describe('beckon need --resume', () => {
  const command = ['sh', '-c', 'test "$STRIPE_KEY" = sk-canary-31337 && pwd']

  it('runs the command with the secret once, in the directory it was asked in', async () => {
    const sandbox = await createSandbox()
    const { id, resume } = await ticketOf(sandbox, [...needSecret, '--', ...command])
    await sandbox.run(['answer', id, '--from', '-'], { input: secret })
    expect((await sandbox.run(['wait', id])).code).toBe(14)
    const resumed = ['need', '--resume', id, '--', ...command]
    expect(resume).toContain(`need --resume ${id} -- `)
    const cwd = folderBeside(sandbox)
    expect(await sandbox.run(resumed, { cwd })).toEqual({ code: 0, stdout: `${sandbox.cwd}\n`, stderr: '' })
    expect(await sandbox.run(resumed, { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: `beckon: ${id} was used already, and nothing runs twice. Ask again: beckon need api_key STRIPE_KEY --description TEXT\n`,
    })
    expect((await sandbox.run(['wait', id])).code).toBe(0)
  })

  it('takes up what a program asked through the library', async () => {
    const { ask, run, hub, cwd, root } = await createSandbox()
    const { id } = await ask({ kind: 'dependency', type: 'api_key', name: 'STRIPE_KEY', description: 'd' })
    await hub.answer(id, { value: secret })
    expect(await run(['need', '--resume', id, '--', ...command], { cwd: root })).toMatchObject({
      code: 0,
      stdout: `${cwd}\n`,
    })
  })

  it('prints a file or a permission once, and the reference of a secret', async () => {
    const sandbox = await createSandbox()
    const { run, json, hub } = sandbox
    const file = await ticketOf(sandbox, needFile)
    writeFileSync(join(sandbox.cwd, 'schema.sql'), '')
    await hub.answer(file.id, { value: 'schema.sql' })
    expect(await run(['need', '--resume', file.id])).toEqual({ code: 0, stdout: 'schema.sql\n', stderr: '' })
    expect((await run(['need', '--resume', file.id])).code).toBe(1)
    const permission = await ticketOf(sandbox, ['need', 'permission', 'DEPLOY', '--description', 'may I?'])
    await hub.answer(permission.id, { value: 'yes' })
    expect((await json(['need', '--resume', permission.id])).document).toMatchObject({ value: 'yes' })
    const key = await ticketOf(sandbox, needSecret)
    await hub.answer(key.id, { value: secret })
    const reference = `${key.id.replace('req_', 'ref_')}\n`
    expect(await run(['need', '--resume', key.id])).toEqual({ code: 0, stdout: reference, stderr: '' })
    expect((await hub.get(key.id)).usedAt).toBeNull()
  })

  it('waits for the value, and prompts for it right here', async () => {
    const sandbox = await createSandbox()
    const { id } = await ticketOf(sandbox, needFile)
    expect((await ticketOf(sandbox, ['need', '--resume', id, '--', 'true'])).resume).toBe(
      `beckon need --resume ${id} -- true`,
    )
    writeFileSync(join(sandbox.cwd, 'schema.sql'), '')
    const typed = await sandbox.run(['need', '--resume', id, '--plain', '--', 'sh', '-c', 'echo "$SCHEMA"'], {
      input: 'schema.sql\n',
      cwd: folderBeside(sandbox),
    })
    expect(typed).toMatchObject({ code: 0, stdout: 'schema.sql\n' })
    const key = await ticketOf(sandbox, needSecret)
    await sandbox.hub.decline(key.id, { reason: 'none left' })
    expect((await sandbox.run(['need', '--resume', key.id, '--', 'true'])).code).toBe(10)
  })

  it.each(['without a run', 'in a run'])('hands the value to one of three processes %s', async where => {
    const sandbox = await createSandbox()
    const { id: run } = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd })
    const env = where === 'in a run' ? { BECKON_RUN: run } : {}
    const { id } = await ticketOf(sandbox, [...needFile, '--', 'true'], env)
    const command = ['sh', '-c', `echo "$SCHEMA" >> ${sandbox.root}/ran`]
    const all = await raceFor(sandbox, ['need', '--resume', id, '--', ...command], id, env)
    writeFileSync(join(sandbox.cwd, 'a.sql'), '')
    await sandbox.hub.answer(id, { value: 'a.sql' })
    const ends = await Promise.all(all.map(({ result }) => result))
    expect(ends.map(({ code }) => code).toSorted()).toEqual([0, 1, 1])
    expect(linesOf(join(sandbox.root, 'ran'))).toEqual(['a.sql'])
  })

  it("takes an agent's own requests only, and keeps the value when the directory is gone", async () => {
    const sandbox = await createSandbox()
    const gone = folderBeside(sandbox)
    const claude = { CLAUDECODE: '1' }
    const asked = await sandbox.run([...needSecret, '--async', '--', 'true'], { env: claude, cwd: gone })
    const { id } = JSON.parse(asked.stdout)
    await sandbox.hub.answer(id, { value: secret })
    const resume = ['need', '--resume', id, '--', 'true']
    expect((await sandbox.run(resume, { env: claude })).code).toBe(5)
    rmSync(gone, { recursive: true })
    expect(await sandbox.run(resume)).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') })
    expect((await sandbox.hub.get(id)).usedAt).toBeNull()
  })

  it('refuses what it cannot resume', async () => {
    const { run, ask, cwd } = await createSandbox()
    const approval = await ask({ kind: 'approval', action: { command: 'x', cwd } })
    const key = await ask({ kind: 'dependency', type: 'api_key', name: 'not-a-name', description: 'd' })
    const refused: [string[], RegExp, number?][] = [
      [['need', '--resume', 'req_nowhere'], /There is no request req_nowhere/, 4],
      [['need', '--resume', approval.id], new RegExp(`is an approval, .*: beckon approve --resume ${approval.id}`)],
      [['need', 'api_key', 'K', '--resume', key.id], /--resume takes no TYPE and NAME/],
      [['need', 'api_key', 'K', '--resume', key.id, '--', 'true'], /--resume takes no TYPE and NAME/],
      [['need', '--resume', key.id, '--', 'true'], /NAME must be a valid name/],
      [['need', '--resume', key.id, '--description', 'x'], /cannot be used with option '--description/],
      [['need', '--resume', key.id, '--ref', 'ref_1'], /cannot be used with option '--ref/],
      [['need', '--resume', key.id, '--key', 'x'], /cannot be used with option '--key/],
      [['need', '--resume', key.id, '--timeout', '1h'], /cannot be used with option '--timeout/],
      [['need', '--resume', key.id, '--optional'], /cannot be used with option '--optional/],
      [['need', '--resume', key.id, '--async'], /cannot be used with option '--async/],
      [['need'], /TYPE is missing/],
      [['need', 'api_key', '--description', 'd'], /NAME is missing/],
    ]
    for (const [args, reason, wanted = 1] of refused) {
      const { code, stderr } = await run(args, impatient)
      expect({ args, code, stderr }).toEqual({ args, code: wanted, stderr: expect.stringMatching(reason) })
    }
    const file = await ask({ kind: 'dependency', type: 'file', name: 'F', description: 'd' })
    const missing = await run(['need', '--resume', file.id, '--', './no-such-program'], impatient)
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') })
  })

  it('works over HTTP', async () => {
    const sandbox = await createSandbox()
    const server = await startServer(join(sandbox.home, 'beckon.db'))
    const env = { BECKON_URL: server.url, BECKON_TOKEN: await server.token('ask') }
    const { id } = await ticketOf(sandbox, [...needSecret, '--', ...command], env)
    await server.hub.answer(id, { value: secret })
    const cwd = folderBeside(sandbox)
    const resumed = await sandbox.run(['need', '--resume', id, '--', ...command], { env, cwd })
    expect(resumed).toEqual({ code: 0, stdout: `${realpathSync(sandbox.cwd)}\n`, stderr: '' })
  })
})

/** Three processes that wait for the same request. */
async function raceFor({ start }: Sandbox, command: string[], id: Request['id'], env: Record<string, string> = {}) {
  const all = [start(command, { env }), start(command, { env }), start(command, { env })]
  // Each of them announces that it waits.
  await Promise.all(all.map(({ written }) => until(() => written().stderr.includes(id), 'the announcement')))
  return all
}
