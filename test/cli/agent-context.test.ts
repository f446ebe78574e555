import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox, launcher, until } from './sandbox.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }], required: false }
const settling = {
  answer: ['answer', 'yes'],
  skip: ['skip'],
  decline: ['decline', '--reason', 'no'],
} as const
const markers = ['BECKON_RUN', 'CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'OPENCODE', 'GEMINI_CLI', 'AI_AGENT']

describe("in an agent's shell", () => {
  it.each(Object.entries(settling))('%s exits 5 and changes nothing', async (_, [command, ...rest]) => {
    const { ask, json, hub } = await createSandbox()
    const { id } = await ask(shipIt)
    const { code, document, stderr } = await json([command, id, ...rest], { env: { CLAUDECODE: '1' } })
    expect(code).toBe(5)
    expect(document).toEqual({
      error: { code: 'not_allowed', message: expect.any(String), details: { process: expect.any(Object) } },
    })
    expect(stderr).toMatch(/^beckon: .+\n$/)
    expect((await hub.get(id)).status).toBe('pending')
  })

  it.each([['decline', 'req_1'], ['answer'], ['skip', '--bogus']])(
    '%s exits 5 before its arguments are parsed',
    async (...args) => {
      const { run } = await createSandbox()
      expect((await run(args, { env: { CLAUDECODE: '1' } })).code).toBe(5)
      expect((await run(args)).code).toBe(1)
    },
  )

  it.each(markers)('%s marks the agent context', async sign => {
    const { run } = await createSandbox()
    expect((await run(['skip', 'req_1'], { env: { [sign]: 'x' } })).code).toBe(5)
    expect((await run(['skip', 'req_1'], { env: { [sign]: '' } })).code).toBe(4)
  })

  it('the check comes before any file is created', async () => {
    const { run, root } = await createSandbox()
    const env = { BECKON_HOME: `${root}/none`, OPENCODE: '1' }
    expect((await run(['answer', 'req_1', 'yes'], { env })).code).toBe(5)
    expect(existsSync(`${root}/none`)).toBe(false)
  })

  // The shell carries the marker; what it starts does not.
  const hidden = {
    'env -u': 'env -u MARKER $BECKON $COMMAND',
    'env -i': 'env -i $SETTINGS $BECKON $COMMAND',
    'nested shells': `bash -c 'bash -c "env -u MARKER \\$BECKON \\$COMMAND; exit \\$?"; exit $?'`,
    'a script of Node': `node -e 'const { NODE, LAUNCHER, COMMAND, BECKON_HOME } = process.env
      const { status } = require("child_process").spawnSync(NODE, [LAUNCHER, ...COMMAND.split(" ")], { env: { BECKON_HOME }, stdio: "inherit" })
      process.exit(status)'`,
    'a program in between that clears its environment': `env -i $SETTINGS BECKON="$BECKON" COMMAND="$COMMAND" sh -c '$BECKON $COMMAND; exit $?'`,
  }

  describe.runIf(process.platform === 'linux').each(Object.entries(hidden))('behind %s', (_, script) => {
    it.each(markers)('%s is found in the environment of the shell', async marker => {
      const { shell, ask, hub } = await createShells()
      const { id } = await ask(shipIt)
      const { code, stderr } = shell(`${script.replaceAll('MARKER', marker)}; exit $?`, {
        env: { [marker]: 'x' },
        command: `answer ${id} yes`,
      })
      expect({ code, status: (await hub.get(id)).status }).toEqual({ code: 5, status: 'pending' })
      expect(stderr).toMatch(
        /^beckon: "beckon answer" is for people, .* process \d+ \(sh\)\. Run it in a terminal.*\n$/,
      )
      expect(stderr).not.toContain(marker)
    })
  })

  it.runIf(process.platform === 'linux').each(Object.values(settling))(
    '%s is refused behind env -u',
    async (...words) => {
      const { shell, ask, hub } = await createShells()
      const { id } = await ask(shipIt)
      const [command, ...rest] = words
      const { code } = shell('env -u CLAUDECODE $BECKON $COMMAND; exit $?', {
        env: { CLAUDECODE: '1' },
        command: [command, id, ...rest].join(' '),
      })
      expect({ code, status: (await hub.get(id)).status }).toEqual({ code: 5, status: 'pending' })
    },
  )

  it.runIf(process.platform === 'linux')('a run is known in another session, and when its shell is gone', async () => {
    const { shell, ask, hub, cwd } = await createShells()
    const { id } = await ask(shipIt)
    const inRun = { env: { BECKON_RUN: 'run_1' }, command: `answer ${id} yes` }
    expect(shell('setsid -w env -i $SETTINGS $BECKON $COMMAND; exit $?', inRun).code).toBe(5)
    // A daemon: nothing is left of its descent but the variable that it carries itself.
    shell(`setsid sh -c 'sleep 0; $BECKON $COMMAND; echo $? > code' & exit 0`, inRun)
    const code = await until(
      () => existsSync(join(cwd, 'code')) && readFileSync(join(cwd, 'code'), 'utf8').trim(),
      'the code',
    )
    expect(code).toBe('5')
    expect((await hub.get(id)).status).toBe('pending')
  })

  it.runIf(process.platform === 'linux')("a terminal that was opened from an agent's shell is a person's", async () => {
    const { shell, ask } = await createShells()
    const { id } = await ask(shipIt)
    // As tmux does for a pane: a new session, and the environment of its own.
    const pane = "setsid -w env -u CLAUDECODE sh -c '$BECKON $COMMAND; exit $?'; exit $?"
    const command = `answer ${id} yes`
    expect(shell(pane, { env: { CLAUDECODE: '1', BECKON_RUN: 'run_1' }, command }).code).toBe(5)
    expect(shell(pane, { env: { CLAUDECODE: '1' }, command }).code).toBe(0)
  })

  it.runIf(process.platform === 'linux')(
    'the refusal names the agent of the run, not its holder or its shell',
    async () => {
      const { run } = await createSandbox()
      const script = `env -u BECKON_RUN beckon skip req_1 2>&1; exit 0`
      const { stdout } = await run(['run', '--', 'bash', '-c', `echo agent $$; sh -c '${script}'; true`])
      const [, agent] = /agent (\d+)/.exec(stdout) ?? []
      expect(stdout).toContain(`belongs to an agent: process ${agent} (bash).`)
    },
  )

  it('cancel works for requests that this agent asked in this directory outside a run', async () => {
    const { ask, run, hub, cwd, root } = await createSandbox()
    const { id: run1 } = await hub.runs.start({ command: ['agent'], cwd })
    const gemini = { name: 'gemini', cwd }
    const own = await ask({ ...shipIt, agent: gemini })
    const anothers = await ask({ ...shipIt, agent: { ...gemini, name: 'codex' } })
    const elsewhere = await ask({ ...shipIt, agent: { ...gemini, cwd: root } })
    const ofRun = await ask({ ...shipIt, run: run1, agent: gemini })
    const env = { GEMINI_CLI: '1' }
    expect((await run(['cancel', own.id], { env })).code).toBe(0)
    expect((await run(['cancel', anothers.id], { env })).code).toBe(5)
    expect((await run(['cancel', elsewhere.id], { env })).code).toBe(5)
    expect((await run(['cancel', ofRun.id], { env })).code).toBe(5)
    expect((await run(['cancel', elsewhere.id])).code).toBe(0)
  })

  it('cancel works for requests of the run that the agent works in, in any directory', async () => {
    const { ask, run, hub, cwd, root } = await createSandbox()
    // The commands of this test descend from its own process.
    const { id: run1 } = await hub.runs.start({ command: ['agent'], cwd, pid: process.pid })
    const own = await ask({ ...shipIt, run: run1, agent: { cwd: root } })
    const other = await ask(shipIt)
    const env = { BECKON_RUN: run1 }
    expect((await run(['cancel', own.id], { env })).code).toBe(0)
    expect((await run(['cancel', other.id], { env })).code).toBe(5)
  })

  it.runIf(process.platform === 'linux')(
    'an agent is known by its program, where its shell has become beckon',
    async () => {
      const { shell, ask, hub, cwd } = await createShells()
      const { id } = await ask(shipIt)
      // It marks only the shell that it opens, and bash becomes the one program that it is told to start.
      const agent = `const { status } = require('node:child_process').spawnSync('bash', ['-c', process.env.SHELL_COMMAND], { stdio: 'inherit' })
      process.exit(status)`
      writeFileSync(join(cwd, 'claude'), agent)
      const { code, stderr } = shell('SHELL_COMMAND="$BECKON $COMMAND" $NODE ./claude; exit $?', {
        env: { NODE: process.execPath },
        command: `answer ${id} yes`,
      })
      expect({ code, status: (await hub.get(id)).status }).toEqual({ code: 5, status: 'pending' })
      expect(stderr).toMatch(/process \d+ \(claude\)/)
    },
  )

  it.runIf(process.platform === 'linux')('a process of the session is known when its parents are gone', async () => {
    const { shell, ask, hub, cwd } = await createShells()
    const { id } = await ask(shipIt)
    const orphan = `(sleep 0.2; env -i $SETTINGS $BECKON $COMMAND; echo $? > code) &`
    // The shell in between carries nothing and ends; the leader of the session carries the run and lives on.
    const script = `env -i $SETTINGS BECKON="$BECKON" COMMAND="$COMMAND" SETTINGS="$SETTINGS" sh -c '${orphan}'
      until [ -s code ]; do sleep 0.05; done`
    const file = join(cwd, 'session.sh')
    writeFileSync(file, script)
    shell(`setsid -w sh ${file}`, { env: { BECKON_RUN: 'run_1' }, command: `answer ${id} yes` })
    expect(readFileSync(join(cwd, 'code'), 'utf8').trim()).toBe('5')
    expect((await hub.get(id)).status).toBe('pending')
  })

  it('need gives the value of a run to the descent of its agent alone', async () => {
    const { run, hub, cwd } = await createSandbox()
    const agentOfOther = spawn('sleep', ['60'])
    onTestFinished(() => void agentOfOther.kill())
    const { id: other } = await hub.runs.start({ command: ['agent'], cwd, pid: agentOfOther.pid as number })
    const need = ['need', 'api_key', 'KEY', '--description', 'for a test', '--', 'printenv', 'KEY']
    const env = { BECKON_RUN: other, BECKON_WAIT: '0s' }
    const { id } = JSON.parse((await run(need, { env })).stdout)
    await hub.answer(id, { value: 'sk-0123456789' })
    expect(await run(need, { env })).toMatchObject({ code: 5, stdout: '' })
    expect((await hub.get(id)).usedAt).toBeNull()
  })

  it('cancel believes the descent of the agent, and not the run that its environment names', async () => {
    const { ask, run, hub, cwd } = await createSandbox()
    const agentOfOther = spawn('sleep', ['60'])
    onTestFinished(() => void agentOfOther.kill())
    const pids = [agentOfOther.pid as number, null]
    for (const pid of pids) {
      const { id: other } = await hub.runs.start({ command: ['agent'], cwd, pid })
      const { id } = await ask({ ...shipIt, run: other })
      for (const env of [{ BECKON_RUN: other }, { BECKON_RUN: other, CLAUDECODE: '1' }]) {
        expect(await run(['cancel', id], { env })).toMatchObject({
          code: 5,
          stderr: expect.stringMatching(/^beckon: Somebody else asked .* process \d+ \(.+\)\. An agent may only/),
        })
      }
      expect((await hub.get(id)).status).toBe('pending')
    }
  })

  it('requests carry the name of the agent and the run', async () => {
    const { run, hub, cwd, json } = await createSandbox()
    const { id: run1 } = await hub.runs.start({ command: ['agent'], cwd, name: 'nightly' })
    const names: [Record<string, string>, string][] = [
      [{}, 'shell'],
      [{ CLAUDECODE: '1' }, 'claude-code'],
      [{ CODEX_SANDBOX: 'seatbelt' }, 'codex'],
      [{ OPENCODE: '1' }, 'opencode'],
      [{ GEMINI_CLI: '1' }, 'gemini'],
      [{ AI_AGENT: 'goose' }, 'goose'],
      [{ BECKON_RUN: run1 }, 'nightly'],
    ]
    for (const [env, name] of names) {
      const { id } = JSON.parse((await run(['ask', 'Who?', '--async'], { env })).stdout)
      expect(await hub.get(id)).toMatchObject({ agent: { name, cwd }, run: env.BECKON_RUN ?? null })
    }
    const unknown = await json(['ask', 'Who?'], { env: { BECKON_RUN: 'run_unknown' } })
    expect(unknown).toMatchObject({ code: 1, document: { error: { code: 'invalid', details: [{ path: 'run' }] } } })
  })
})

/** A sandbox with shells: $BECKON is the command, $COMMAND its arguments, and $SETTINGS the variables that it needs. */
async function createShells() {
  const sandbox = await createSandbox()
  return { ...sandbox, shell }

  function shell(script: string, { env, command }: { env: Record<string, string>; command: string }) {
    const { status, stderr } = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      cwd: sandbox.cwd,
      env: {
        ...process.env,
        ...(sandbox.env as Record<string, string>),
        NODE: process.execPath,
        LAUNCHER: launcher,
        BECKON: `${process.execPath} ${launcher}`,
        SETTINGS: `PATH=${process.env.PATH} BECKON_HOME=${sandbox.home}`,
        COMMAND: command,
        ...env,
      },
    })
    return { code: status, stderr }
  }
}
