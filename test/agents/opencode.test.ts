import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { launcher } from '../cli/sandbox.ts'
import { type AgentSandbox, createAgentSandbox, until } from './harness.ts'
import { openOpencode, serveOpencode } from './opencode-server.ts'

const folder = join(import.meta.dirname, '../../plugins/opencode')
const command = [process.execPath, launcher]
type Agent = Awaited<ReturnType<AgentSandbox['agent']>>

describe('the plugin in opencode run', () => {
  it('asks about dangerous commands: a yes runs it once, a change runs instead, a no runs nothing', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent('opencode')
    const marked = (name: string) => existsSync(join(agent.cwd, name))
    skipInstall(agent)
    const setup = await sandbox.run(['setup', 'opencode', '--yes'], { env: agent.env, cwd: agent.cwd })
    expect(setup.code, setup.stderr).toBe(0)
    const running = await agent.start({
      prompt: 'Clean up',
      turns: [
        ({ mcp }) => mcp('ask', { questions: [{ question: 'Which remote?' }] }),
        ({ shell }) => shell('echo session=$OPENCODE_SESSION_ID'),
        ({ shell }) => shell('echo once >> yes; git push --force'),
        ({ shell }) => shell('touch unchanged; git push --force'),
        ({ shell }) => shell('touch no; git push --force'),
      ],
    })

    const question = await pending(sandbox)
    expect(question).toMatchObject({ kind: 'question', agent: { name: 'opencode' } })
    await sandbox.run(['answer', question.id, 'origin'])

    const first = await pending(sandbox)
    expect(first).toMatchObject({ kind: 'approval', agent: { name: 'opencode', cwd: agent.cwd } })
    expect(first.session).toMatch(/^ses_/)
    expect(running.results()).toEqual([
      expect.stringContaining('"value":"origin"'),
      expect.stringContaining(`session=${first.session}`),
    ])
    expect(marked('yes')).toBe(false)
    await sandbox.run(['answer', first.id, 'yes'])

    const second = await pending(sandbox)
    expect(readFileSync(join(agent.cwd, 'yes'), 'utf8')).toBe('once\n')
    await sandbox.run(['answer', second.id, 'yes', '--edit', 'touch changed'])

    const third = await pending(sandbox)
    expect([marked('changed'), marked('unchanged')]).toEqual([true, false])
    await sandbox.run(['decline', third.id, '--reason', 'not today'])

    const { output } = await running.finished
    expect(running.results().at(-1), output).toContain('A person said no: not today')
    expect(marked('no')).toBe(false)
    expect((await sandbox.hub.list()).requests).toEqual([])
  })

  it('runs nothing while Beckon is missing, killed, hanging, failing or talking nonsense', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent('opencode')
    const broken = join(sandbox.root, 'beckon.sh')
    const scripts = ['kill -9 $$', 'exec sleep 1000', 'exit 1', 'echo nonsense', 'echo "{}"', null]
    install(agent, { command: ['/bin/sh', broken], limit: 1_500 })
    const running = await agent.start({
      prompt: 'Go on',
      turns: scripts.map((script, at) => ({ shell }) => {
        if (script === null) rmSync(broken)
        else writeFileSync(broken, script)
        return shell(`touch ran-${at}`)
      }),
    })
    const { output } = await running.finished
    const results = running.results()
    expect(results, output).toHaveLength(scripts.length)
    for (const result of results) expect(result).toContain('It was not run, because Beckon could not be asked')
    expect(scripts.map((_, at) => existsSync(join(agent.cwd, `ran-${at}`)))).not.toContain(true)
  })

  it('runs nothing when the package of Beckon was removed', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent('opencode')
    install(agent, { command }, join(sandbox.root, 'gone/beckon.ts'))
    const running = await agent.start({ prompt: 'Go on', turns: [({ shell }) => shell('touch ran')] })
    const { output } = await running.finished
    expect(running.results(), output).toEqual([expect.stringContaining('Run "beckon setup opencode" again')])
    expect(existsSync(join(agent.cwd, 'ran'))).toBe(false)
  })
})

describe('the plugin beside opencode’s own dialogs', () => {
  it('closes permissions and questions by an answer from the hub, and the other way round', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent('opencode')
    const marked = (name: string) => existsSync(join(agent.cwd, name))
    install(agent, { command, env: { BECKON_HOME: sandbox.home } })
    const question = {
      question: 'Which database?',
      header: 'Database',
      options: [
        { label: 'SQLite', description: '' },
        { label: 'Postgres', description: '' },
      ],
    }
    const opencode = await serveOpencode(sandbox, agent, {
      config: { permission: { bash: 'ask' } },
      turns: [
        ({ shell }) => shell('touch from-hub; git push --force'),
        ({ tool }) => tool('question', { questions: [question] }),
        ({ shell }) => shell('touch from-opencode; git push --force'),
        ({ tool }) => tool('question', { questions: [question] }),
        ({ shell }) => shell('touch harmless'),
        ({ shell }) => shell('touch refused; git push --force'),
      ],
    })
    const session = await opencode.prompt('Go on')

    const first = await pending(sandbox)
    expect(first).toMatchObject({ kind: 'approval', session, agent: { name: 'opencode' } })
    expect(await opencode.open('permission')).toHaveLength(1)
    await sandbox.run(['answer', first.id, 'yes'])

    const second = await pending(sandbox)
    expect(marked('from-hub')).toBe(true)
    expect(second).toMatchObject({ kind: 'question', session, questions: [{ question: 'Which database?' }] })
    await sandbox.run(['answer', second.id, 'Postgres'])

    const third = await pending(sandbox)
    expect(opencode.results().at(-1)).toContain('"Which database?"="Postgres"')
    const [permission] = await opencode.open('permission')
    await opencode.post(`/permission/${permission?.id}/reply`, { reply: 'once' })

    const fourth = await pending(sandbox, third.id)
    expect(marked('from-opencode')).toBe(true)
    expect(await sandbox.hub.get(third.id)).toMatchObject({ status: 'cancelled' })
    const [asked] = await opencode.open('question')
    await opencode.post(`/question/${asked?.id}/reply`, { answers: [['SQLite']] })

    // A person's own setting asks also about what the guard allows.
    const fifth = await pending(sandbox, fourth.id)
    expect(await sandbox.hub.get(fourth.id)).toMatchObject({ status: 'cancelled' })
    await sandbox.run(['answer', fifth.id, 'yes'])

    const sixth = await pending(sandbox)
    await sandbox.run(['decline', sixth.id, '--reason', 'not today'])
    await until(() => opencode.results().at(-1)?.includes('not today'), 'the refusal', 60_000)
    expect([marked('harmless'), marked('refused')]).toEqual([true, false])
    expect((await sandbox.hub.list()).requests).toEqual([])
  })

  it('closes the dialogs in its terminal by an answer from the hub, and withdraws what was answered there', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent('opencode')
    const marked = (name: string) => existsSync(join(agent.cwd, name))
    install(agent, { command, env: { BECKON_HOME: sandbox.home } })
    const screen = await openOpencode(sandbox, agent, {
      config: { permission: { bash: 'ask' } },
      turns: ['first', 'second', 'third'].map(
        name =>
          ({ shell }) =>
            shell(`touch ${name}; git push --force`),
      ),
    })

    const first = await pending(sandbox)
    await until(() => screen.screen().includes('touch first; git'), 'the first dialog')
    await sandbox.run(['answer', first.id, 'yes'])

    const second = await pending(sandbox)
    expect(marked('first')).toBe(true)
    await until(() => screen.screen().includes('touch second; git'), 'the second dialog')
    screen.press('Enter')

    const third = await pending(sandbox, second.id)
    expect(marked('second')).toBe(true)
    expect(await sandbox.hub.get(second.id)).toMatchObject({ status: 'cancelled' })
    await until(() => screen.screen().includes('touch third; git'), 'the third dialog')
    screen.press('Escape')
    await until(async () => (await sandbox.hub.get(third.id)).status === 'cancelled', 'the withdrawal', 60_000)
    expect(marked('third')).toBe(false)
  })
})

/** As `beckon setup opencode` installs it. */
function install(agent: Agent, options: object, plugin = join(folder, 'beckon.ts')) {
  const config = join(agent.home, '.config/opencode')
  mkdirSync(join(config, 'plugin'), { recursive: true })
  const loader = readFileSync(join(folder, 'loader.js'), 'utf8')
    .replace("'__BECKON_PLUGIN__'", () => JSON.stringify(pathToFileURL(plugin).href))
    .replace("'__BECKON_OPTIONS__'", () => JSON.stringify(options))
  writeFileSync(join(config, 'plugin/beckon.js'), loader)
  skipInstall(agent)
}

/** opencode installs a package into this folder before it loads a plugin, unless it seems to be there. */
function skipInstall(agent: Agent) {
  const config = join(agent.home, '.config/opencode')
  mkdirSync(join(config, 'node_modules'), { recursive: true })
  const packages = { '': { dependencies: { '@opencode-ai/plugin': '1.18.33' } } }
  writeFileSync(join(config, 'package-lock.json'), JSON.stringify({ packages }))
}

/** An agent takes its time on a busy machine. */
function pending({ hub }: AgentSandbox, after = '') {
  return until(async () => (await hub.list()).requests.find(({ id }) => id > after), 'a pending request', 120_000)
}
