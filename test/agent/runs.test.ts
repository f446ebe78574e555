import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox, until } from '../cli/sandbox.ts'
import { terminal } from '../cli/tmux.ts'
import { resultsIn, type Script, startModelServer } from './model-server.ts'

async function createModelSandbox(script: Script) {
  const sandbox = await createSandbox()
  const server = await startModelServer(script)
  sandbox.atEnd(() => server.close())
  Object.assign(sandbox.env, server.env, { BECKON_MODEL: 'anthropic/scripted' })
  return { ...sandbox, server }
}

const asksFirst: Script = (seen, count) =>
  count === 1
    ? { calls: [{ name: 'AskUserQuestion', input: { question: 'Which?', options: ['a', 'b'] } }] }
    : { text: `It is ${resultsIn(seen)[0]}` }

const works: Script = () => ({ calls: [{ name: 'Bash', input: { command: 'touch started; sleep 600' } }] })

async function untilRun({ hub }: Pick<Sandbox, 'hub'>, status: string) {
  return until(async () => (await hub.runs.list()).find(run => run.status === status), `a run that is ${status}`)
}

async function untilStarted({ cwd }: Pick<Sandbox, 'cwd'>) {
  await until(() => existsSync(join(cwd, 'started')), 'its command')
}

describe('the run of the built-in agent', () => {
  it('is not marked as failed by a recovery that looks while it wakes', async () => {
    const { run, hub, root } = await createModelSandbox(asksFirst)
    // The woken agent takes its time to start.
    const slow = join(root, 'slow.mjs')
    writeFileSync(
      slow,
      "if (process.argv.includes('--conversation')) await new Promise(resolve => setTimeout(resolve, 3_000))\n",
    )
    const env = { BECKON_WAIT: '100ms', NODE_OPTIONS: `--import ${pathToFileURL(slow)}` }
    const { id } = JSON.parse((await run(['agent', 'run', 'go'], { env })).stdout)
    await hub.answer(id, { value: 'b' })
    await until(async () => (await hub.events()).some(({ type }) => type === 'run.woken'), 'the waking')
    await run(['run', '--recover'])
    await run(['run', '--recover'])
    await untilRun({ hub }, 'completed')
    const types = (await hub.events()).map(({ type }) => type).filter(type => type.startsWith('run.'))
    expect(types).not.toContain('run.failed')
  })

  it('fails when its process is terminated while it works', async () => {
    const sandbox = await createModelSandbox(works)
    const running = sandbox.start(['agent', 'run', 'go'])
    await untilStarted(sandbox)
    running.child.kill('SIGTERM')
    expect((await running.result).code).toBe(1)
    expect(await sandbox.hub.runs.list()).toMatchObject([{ status: 'failed' }])
    const failed = (await sandbox.hub.events()).find(({ type }) => type === 'run.failed')
    expect(failed?.data).toMatchObject({ reason: expect.stringContaining('SIGTERM') })
  })

  it('sleeps when its process is terminated while it waits, and the answer wakes it', async () => {
    const { start, pending, hub } = await createModelSandbox(asksFirst)
    const running = start(['agent', 'run', 'go'])
    const { id } = await pending()
    running.child.kill('SIGTERM')
    await running.result
    expect(await hub.runs.list()).toMatchObject([{ status: 'asleep', waiting: ['waiting_question'] }])
    await hub.answer(id, { value: 'b' })
    await untilRun({ hub }, 'completed')
    expect((await hub.get(id)).deliveredAt).not.toBeNull()
  })

  it.each(['by command', 'by a program'])(
    'keeps its answer when it was killed while it asked: answered %s',
    async how => {
      const { start, run, pending, hub } = await createModelSandbox(asksFirst)
      const running = start(['agent', 'run', 'go'])
      const { id } = await pending()
      running.child.kill('SIGKILL')
      await running.result
      if (how === 'by command') expect(await run(['answer', id, 'b'])).toMatchObject({ code: 0 })
      else await hub.answer(id, { value: 'b' })
      await untilRun({ hub }, 'completed')
      expect((await hub.get(id)).deliveredAt).not.toBeNull()
    },
  )

  it('ends when the terminal of a conversation is closed', async () => {
    const sandbox = await createModelSandbox(works)
    const screen = terminal(sandbox, ['agent'])
    await screen.shows('tokens in')
    screen.type('go')
    await untilStarted(sandbox)
    // tmux hangs up on the command.
    screen.tmux('respawn-pane', '-k', 'cat')
    await untilRun(sandbox, 'failed')
    const failed = (await sandbox.hub.events()).find(({ type }) => type === 'run.failed')
    expect(failed?.data).toMatchObject({ reason: expect.stringContaining('terminal was closed') })
  })

  it.each([[['runs']], [['serve', '--port', '0']]])('is concluded by %s after its process was killed', async args => {
    const sandbox = await createModelSandbox(works)
    const running = sandbox.start(['agent', 'run', 'go'])
    await untilStarted(sandbox)
    running.child.kill('SIGKILL')
    await running.result
    sandbox.start(args)
    await untilRun(sandbox, 'failed')
  })

  it('has a log of the conversation without secrets', async () => {
    const need = 'beckon need api_key MYKEY --description d -- sh -c \'echo "key $MYKEY"\''
    const sandbox = await createModelSandbox((seen, count) => {
      if (count === 1) return { text: 'I look.', calls: [{ name: 'Bash', input: { command: need } }] }
      if (count === 2)
        return { calls: [{ name: 'AskUserQuestion', input: { question: 'Which?', options: ['a', 'b'] } }] }
      return { text: `Done with ${resultsIn(seen)[0]}` }
    })
    const running = sandbox.start(['agent', 'run', 'find the key'])
    const secret = await sandbox.pending()
    await sandbox.hub.answer(secret.id, { value: 'canary-30303-canary' })
    const question = await until(
      async () => (await sandbox.hub.list()).requests.find(({ kind }) => kind === 'question'),
      'the question',
    )
    await sandbox.hub.answer(question.id, { value: 'b' })
    expect((await running.result).code).toBe(0)
    const [run] = await sandbox.hub.runs.list()
    const { code, stdout } = await sandbox.run(['runs', 'logs', run?.id ?? ''])
    expect(code).toBe(0)
    expect(stdout).not.toContain('canary')
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        '> find the key',
        'I look.',
        `* Bash ${need}`,
        '  key [redacted]',
        expect.stringMatching(/^\? Which\? \(req_\w+\)$/),
        '[USER_ANSWER] b',
      ]),
    )
  })
})
