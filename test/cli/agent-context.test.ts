import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createSandbox, launcher } from './sandbox.ts'

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
      error: { code: 'not_allowed', message: expect.any(String), details: { sign: 'CLAUDECODE' } },
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

  it.runIf(process.platform === 'linux')('BECKON_RUN is found in the environment of an ancestor process', async () => {
    const { ask, env, hub } = await createSandbox()
    const { id } = await ask(shipIt)
    for (const [command, ...rest] of Object.values(settling)) {
      const own = `env -u BECKON_RUN "$NODE" "$LAUNCHER" ${command} ${id} ${rest.join(' ')}; exit $?`
      const { status } = spawnSync('env', ['BECKON_RUN=run_1', 'sh', '-c', own], {
        env: { ...process.env, ...env, NODE: process.execPath, LAUNCHER: launcher } as NodeJS.ProcessEnv,
      })
      expect(status).toBe(5)
    }
    expect((await hub.get(id)).status).toBe('pending')
  })

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

  it("cancel works for requests of the agent's own run in any directory", async () => {
    const { ask, run, hub, cwd, root } = await createSandbox()
    const { id: run1 } = await hub.runs.start({ command: ['agent'], cwd })
    const own = await ask({ ...shipIt, run: run1, agent: { cwd: root } })
    const other = await ask(shipIt)
    const env = { BECKON_RUN: run1 }
    expect((await run(['cancel', own.id], { env })).code).toBe(0)
    expect((await run(['cancel', other.id], { env })).code).toBe(5)
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
