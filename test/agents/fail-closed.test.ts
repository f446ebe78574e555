import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hookCommand } from '../../src/setup/hook-command.ts'
import { launcher } from '../cli/sandbox.ts'
import { createAgentSandbox, until } from './harness.ts'

const timeout = 8
const guarded = 'git push --force origin main'

// What happens when the script around Beckon is killed, too, is up to the host: Claude blocks because of "onFailure",
// Gemini because the script has refused before it starts Beckon. Codex has neither, and runs the command.
it.each([
  { kind: 'claude', runsWithoutScript: false },
  { kind: 'gemini', runsWithoutScript: false },
  { kind: 'codex', runsWithoutScript: true },
] as const)('$kind runs no command when Beckon is missing, killed, hanging or exits with 1', async given => {
  const { kind, runsWithoutScript } = given
  const sandbox = await createAgentSandbox()
  const agent = await sandbox.agent(kind)
  const beckon = join(sandbox.root, 'installed.mjs')
  const pidFile = join(sandbox.root, 'pid')
  const command = hookCommand({
    agent: kind,
    node: process.execPath,
    beckon,
    env: { BECKON_HOME: sandbox.home },
    timeout,
  })

  const running = await agent.start({
    prompt: 'Work',
    ...configured(agent.home),
    deadline: 100_000,
    turns: [
      ({ shell }) => shell('touch ran-missing'),
      ({ shell }) => install('process.exit(1)', shell('touch ran-exit-1')),
      ({ shell }) => install('process.stdout.write("{}")', shell('touch ran-exit-0')),
      ({ shell }) => install('setInterval(() => {}, 1_000)', shell('touch ran-hanging')),
      ({ shell }) => install(real, shell('touch ran-harmless')),
      ({ shell }) => shell(`touch ran-killed; ${guarded}`),
      ({ shell }) => shell(`touch ran-without-script; ${guarded}`),
    ],
  })

  const first = await until(async () => (await sandbox.hub.list()).requests[0], 'the first request', 60_000)
  process.kill(waitingBeckon(), 'SIGKILL')
  const second = await until(
    async () => (await sandbox.hub.list()).requests.find(({ id }) => id !== first.id),
    'the second request',
    60_000,
  )
  expect(second).toMatchObject({ action: { command: expect.stringContaining('ran-without-script') } })
  const pid = waitingBeckon()
  for (const one of [...shellsAbove(pid), pid]) process.kill(one, 'SIGKILL')
  const { output } = await running.finished

  const cases = ['missing', 'exit-1', 'exit-0', 'hanging', 'harmless', 'killed', 'without-script']
  const ran = cases.filter(name => existsSync(join(agent.cwd, `ran-${name}`)))
  expect(ran, `${output}\n${running.results().join('\n')}`).toEqual([
    'harmless',
    ...(runsWithoutScript ? ['without-script'] : []),
  ])

  function install<T>(code: string, reply: T): T {
    writeFileSync(
      beckon,
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid))\n${code}\n`,
    )
    return reply
  }

  function waitingBeckon(): number {
    return Number(readFileSync(pidFile, 'utf8'))
  }

  /** What `beckon setup` writes. */
  function configured(home: string) {
    rmSync(beckon, { force: true })
    const hook = { type: 'command', command, timeout }
    switch (kind) {
      case 'claude':
        return {
          args: ['--allowedTools', 'Bash'],
          config: { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ ...hook, onFailure: 'block' }] }] } },
        }
      case 'gemini':
        return {
          config: {
            hooks: { BeforeTool: [{ matcher: 'run_shell_command', hooks: [{ ...hook, timeout: timeout * 1_000 }] }] },
          },
        }
      case 'codex':
        mkdirSync(join(home, '.codex'), { recursive: true })
        writeFileSync(
          join(home, '.codex/hooks.json'),
          JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } }),
        )
        return { args: ['--dangerously-bypass-hook-trust'] }
    }
  }
})

const real = `await import(${JSON.stringify(launcher)})`

/** The shells between the agent and this process, its own script among them. */
function shellsAbove(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' })
  const parent = Number(stdout)
  const { stdout: name } = spawnSync('ps', ['-o', 'comm=', '-p', String(parent)], { encoding: 'utf8' })
  return /^(.*\/)?(ba|da|z)?sh$/.test(name.trim()) ? [...shellsAbove(parent), parent] : []
}
