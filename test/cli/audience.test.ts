import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { programWith } from './program.ts'
import { createSandbox, launcher, until } from './sandbox.ts'

const agent = { CLAUDECODE: '1' }
const webhook = ['webhook', 'https://example.com/hook']

const forPeople: string[][] = [
  ['--', 'token', 'link'],
  ['token', '--', 'link'],
  ['token', 'create', '--scope', 'admin', '--name', '--help'],
  ['token', 'create', '--scope', 'admin', '--name', '-h'],
  ['token', 'list'],
  ['token', 'bogus'],
  ['token', '--url', 'http://127.0.0.1:1', 'link'],
  ['notify', 'add', ...webhook, '--name', '--help'],
  ['--', 'notify', 'add', ...webhook],
  ['notify', 'remove', 'slack'],
  ['notify', 'test', 'slack'],
  ['answer', 'req_1', 'yes', '--note', '--help'],
  ['--', 'answer', 'req_1', 'yes'],
  ['answer', '--', 'req_1', '--help'],
  ['--json', 'answer', 'req_1', 'yes'],
  ['--json', 'token', 'link'],
  ['--scope', 'admin', 'token', 'create'],
  ['--json', 'rules', 'add', 'allow', '--', 'git', 'push', '--force'],
  ['--json', 'runs', 'stop', 'run_1'],
  ['rules', 'add', 'allow', '--note', '--help', '--', 'git', 'push', '--force'],
  ['rules', 'remove', 'rul_1'],
  ['kept'],
  ['kept', '--json', 'remove', 'KEY'],
  ['restore', 'chk_1'],
  ['gc', '--older-than', '90d'],
  ['gc'],
  ['backup', 'copy.db'],
  ['restore-database', 'copy.db'],
  ['backup'],
  ['inbox'],
  ['skip', 'req_1'],
  ['decline', 'req_1'],
  ['runs', 'stop', 'run_1'],
  ['runs', '--json', 'pause', 'run_1'],
]

describe("in an agent's shell", () => {
  it.each(forPeople.map(args => [args.join(' '), args]))('%s exits 5', async (_, args) => {
    const { run } = await createSandbox()
    const { code, stdout } = await run(args, { env: agent })
    expect({ code, secrets: stdout.match(/signin=|beckon_\w+/g) }).toEqual({ code: 5, secrets: null })
  })

  it('BECKON_RUN alone is enough to refuse a command', async () => {
    const { run } = await createSandbox()
    expect((await run(['--', 'token', 'link'], { env: { BECKON_RUN: 'run_1' } })).code).toBe(5)
  })

  it.runIf(process.platform === 'linux')('an invalid argument is refused with 5, too', async () => {
    const { env } = await createSandbox()
    const script = 'exec "$NODE" "$LAUNCHER" answer req_1 "$(printf "\\377")"'
    const { status } = spawnSync('sh', ['-c', script], {
      env: { ...process.env, ...env, ...agent, NODE: process.execPath, LAUNCHER: launcher } as NodeJS.ProcessEnv,
    })
    expect(status).toBe(5)
  })

  it('the refusal names the process of the agent and what to do, and no variable', async () => {
    const { json } = await createSandbox()
    const { stderr, document } = await json(['token', 'list'], { env: agent })
    expect(stderr).toMatch(/^beckon: "beckon token list" is for people, .*process \d+ \(beckon\.js\).* your own.*\n$/)
    expect(stderr).not.toContain('CLAUDECODE')
    expect(document.error).toMatchObject({
      code: 'not_allowed',
      details: { process: { pid: expect.any(Number), name: 'beckon.js' } },
    })
  })

  it.each([
    ['token', '--help'],
    ['token', 'create', '--help'],
    ['help', 'token'],
    ['token'],
    ['notify'],
    ['notify', 'add', '--help'],
    ['answer', '--bogus', '--help'],
    ['rules', 'add', '-h'],
    ['notify', 'list'],
    ['rules', 'list'],
    ['rules'],
    ['list'],
    ['events'],
    ['runs'],
  ])('%s %s %s is allowed', async (...args) => {
    const { run } = await createSandbox()
    expect((await run(args, { env: agent })).code).toBe(0)
  })

  it('requests can be shown and waited for', async () => {
    const { ask, run } = await createSandbox()
    const { id } = await ask({ questions: [{ question: 'Ship it?' }] })
    expect((await run(['show', id], { env: agent })).code).toBe(0)
    expect((await run(['wait', id, '--for', '0s'], { env: agent })).code).toBe(75)
  })

  it('serve prints no sign-in link', async () => {
    const { start } = await createSandbox()
    const { child, result, written } = start(['serve', '--port', '0'], { env: agent })
    await until(() => written().stderr.includes('beckon token link'), 'the note about the link')
    child.kill('SIGTERM')
    const { code, stdout } = await result
    expect(code).toBe(0)
    expect(stdout).not.toContain('signin')
  })

  it('an agent can pause, resume and stop only its own run', async () => {
    const { run, hub, cwd } = await createSandbox()
    const own = await hub.runs.start({ command: ['agent'], cwd })
    const other = await hub.runs.start({ command: ['agent'], cwd })
    const env = { BECKON_RUN: own.id }
    for (const verb of ['pause', 'resume', 'stop']) {
      expect((await run(['runs', verb, other.id], { env })).code).toBe(5)
      expect((await run(['runs', verb], { env })).code).toBe(5)
      // It names a run, and is not inside of it.
      expect((await run(['runs', verb, own.id], { env })).code).toBe(5)
      expect((await run(['runs', verb, own.id], { env: { ...env, CLAUDECODE: '1' } })).code).toBe(5)
    }
    for (const { id, status } of [own, other]) expect((await hub.runs.get(id)).status).toBe(status)
    const stopped = await run(['runs', 'stop', other.id, '--json'])
    expect(stopped.code).toBe(0)
    expect(JSON.parse(stopped.stdout)).toMatchObject({ id: other.id, status: 'stopped' })
  })

  it('an agent stops the run that it works in, and cannot pass for another run', async () => {
    const { run, hub, cwd } = await createSandbox()
    // A run whose agent is alive: only the descent of the caller tells it from the own run.
    const agentOfOther = spawn('sleep', ['60'])
    onTestFinished(() => void agentOfOther.kill())
    const other = await hub.runs.start({ command: ['agent'], cwd, pid: agentOfOther.pid as number })
    const script = `
beckon runs stop ${other.id}; echo "plain $?"
BECKON_RUN=${other.id} beckon runs stop ${other.id}; echo "forged $?"
BECKON_RUN=${other.id} sh -c 'beckon runs stop ${other.id}; echo "in a shell $?"'
beckon runs stop "$BECKON_RUN"; sleep 60`
    const { stdout } = await run(['run', '--name', 'own', '--', 'sh', '-c', script])
    expect(stdout).toContain('plain 5\nforged 5\nin a shell 5\n')
    const runs = await hub.runs.list()
    expect(runs.find(({ name }) => name === 'own')).toMatchObject({ status: 'stopped' })
    expect(runs.find(({ id }) => id === other.id)).toMatchObject({ status: other.status })
  })
})

describe("in a person's shell, beckon", () => {
  it.each([
    [1, 'backup'],
    [1, 'gc'],
    [1, 'token', 'bogus'],
    [1, '--json', 'token', 'list'],
    [0, '--', 'token', 'list'],
    [0, 'token'],
    [0, 'kept'],
  ] as [number, ...string[]][])('exits %i: %s %s %s', async (code, ...args) => {
    const { run } = await createSandbox()
    expect((await run(args)).code).toBe(code)
  })
})

describe('the table of commands', () => {
  it('lists exactly the commands and subcommands of the program', () => {
    const { program } = programWith([], {})
    expect(program.commands.map(command => command.name())).toEqual(commands.map(({ name }) => name))
    for (const { name, subcommands = {} } of commands) {
      const command = program.commands.find(command => command.name() === name)
      expect(command?.commands.map(sub => sub.name())).toEqual(expect.arrayContaining(Object.keys(subcommands)))
    }
  })

  const pieces = fc.oneof(
    fc.constantFrom(
      '--help',
      '-h',
      '--',
      '--json',
      '--note',
      '--name',
      '--scope',
      'admin',
      '--from',
      '-',
      'req_1',
      'help',
    ),
    fc.string({ maxLength: 8 }),
  )
  const ways = fc.record({
    path: fc.constantFrom(...pathsForPeople(programWith([], {}).program)),
    before: fc.constantFrom<string[]>([], ['--'], ['--json'], ['--bogus=1'], ['--name', 'x']),
    between: fc.constantFrom<string[]>([], ['--'], ['--json']),
    after: fc.array(pieces, { maxLength: 6 }),
    marker: fc.constantFrom('CLAUDECODE', 'BECKON_RUN', 'AI_AGENT'),
  })

  it("refuses every command for people in an agent's shell, with any arguments", async () => {
    await fc.assert(
      fc.asyncProperty(ways, async ({ path: [name = '', ...rest], before, between, after, marker }) => {
        const args = [...before, name, ...between, ...rest, ...after]
        const { program, printed } = programWith(args, { [marker]: 'x', BECKON_HOME: '/nonexistent/beckon' })
        const end = await program.parseAsync(args, { from: 'user' }).then(
          () => 'ran',
          error => error,
        )
        if (end instanceof CommanderError)
          expect([end.code, printed()]).toEqual([
            expect.stringMatching(/help/),
            expect.stringMatching(/^Usage: beckon/),
          ])
        else expect(end).toMatchObject({ code: 'not_allowed' })
        expect(existsSync('/nonexistent')).toBe(false)
      }),
      { numRuns: 1_500 },
    )
  })
})

/** The subcommands of a command for people are for people, too, unless the table says otherwise. */
function pathsForPeople(program: Command): string[][] {
  return commands.flatMap(({ name, audience, subcommands = {} }) => {
    const command = program.commands.find(command => command.name() === name)
    const names = command?.commands.map(sub => sub.name()) ?? []
    const subs = names.filter(sub => !['anyone', 'agent'].includes(subcommands[sub] ?? audience))
    return [...(audience === 'person' && names.length === 0 ? [[name]] : []), ...subs.map(sub => [name, sub])]
  })
}
