import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { launcher } from '../cli/sandbox.ts'
import { type AgentSandbox, createAgentSandbox, until } from './harness.ts'

const folder = join(import.meta.dirname, '../../plugins/opencode')
const command = [process.execPath, launcher]
type Agent = Awaited<ReturnType<AgentSandbox['agent']>>

describe('the plugin in opencode run', () => {
  it('asks about dangerous commands: a yes runs it once, a change runs instead, a no runs nothing', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent('opencode')
    const marked = (name: string) => existsSync(join(agent.cwd, name))
    install(agent, { command, env: { BECKON_HOME: sandbox.home } })
    const running = await agent.start({
      prompt: 'Clean up',
      turns: [
        ({ shell }) => shell('echo session=$OPENCODE_SESSION_ID'),
        ({ shell }) => shell('echo once >> yes; git push --force'),
        ({ shell }) => shell('touch unchanged; git push --force'),
        ({ shell }) => shell('touch no; git push --force'),
      ],
    })

    const first = await pending(sandbox)
    expect(first).toMatchObject({ kind: 'approval', agent: { name: 'opencode', cwd: agent.cwd } })
    expect(first.session).toMatch(/^ses_/)
    expect(running.results()).toEqual([expect.stringContaining(`session=${first.session}`)])
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

/** As `beckon setup opencode` installs it. */
function install(agent: Agent, options: object, plugin = join(folder, 'beckon.ts')) {
  const config = join(agent.home, '.config/opencode')
  mkdirSync(join(config, 'plugin'), { recursive: true })
  const loader = readFileSync(join(folder, 'loader.js'), 'utf8')
    .replace("'__BECKON_PLUGIN__'", () => JSON.stringify(pathToFileURL(plugin).href))
    .replace("'__BECKON_OPTIONS__'", () => JSON.stringify(options))
  writeFileSync(join(config, 'plugin/beckon.js'), loader)
  // opencode installs a package into this folder before it loads a plugin, unless it seems to be there.
  mkdirSync(join(config, 'node_modules'))
  const packages = { '': { dependencies: { '@opencode-ai/plugin': '1.18.33' } } }
  writeFileSync(join(config, 'package-lock.json'), JSON.stringify({ packages }))
}

/** An agent takes its time on a busy machine. */
function pending({ hub }: AgentSandbox) {
  return until(async () => (await hub.list()).requests[0], 'a pending request', 60_000)
}
