import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { programWith } from './program.ts'
import { createSandbox } from './sandbox.ts'

const asking = ['ask', 'need', 'wait']
const answering = ['answer', 'skip', 'decline', 'cancel']
const others = [
  'askpass',
  'restore',
  'inbox',
  'list',
  'show',
  'events',
  'backup',
  'restore-database',
  'gc',
  'doctor',
  'completion',
]

describe('help', () => {
  it('of beckon lists every command and is printed without arguments', async () => {
    const { run } = await createSandbox()
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    // One of the two was written by the build.
    expect(stdout).toBe((await run(['help'])).stdout)
    for (const command of [...asking, ...answering, ...others])
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
    expect(stdout).not.toContain('__complete')
    expect(await run([])).toEqual({ code: 0, stdout, stderr: '' })
    expect((await run(['help', 'ask'])).stdout).toBe((await run(['ask', '--help'])).stdout)
  })

  it.each([...asking, ...answering, ...others])(
    'of %s has examples, and exit codes if it asks or answers',
    async command => {
      const { run } = await createSandbox()
      const { code, stdout } = await run([command, '--help'])
      expect(code).toBe(0)
      expect(stdout).toMatch(/\nExamples:\n {2}.*beckon /)
      if (asking.includes(command)) expect(stdout).toMatch(/Exit codes:[\s\S]+ 10 .*declined[\s\S]*75 .*still pending/v)
      if (answering.includes(command))
        expect(stdout).toMatch(/Exit codes:[\s\S]+ 5 .*not allowed[\s\S]+ 6 .*already settled/v)
    },
  )

  it.each([['runs', 'logs'], ['token', 'create'], ['agent', 'run'], ['notify', 'add'], ['help']])(
    'help %s %s prints the help of that command',
    async (...path) => {
      const { run } = await createSandbox()
      const { code, stdout } = await run(['help', ...path])
      expect(code).toBe(0)
      expect(stdout).toContain(`Usage: beckon ${path.join(' ')}`)
      expect(stdout).toBe((await run([...path, '--help'])).stdout)
    },
  )

  it('help of a command that does not exist names the ones that do', async () => {
    const { run } = await createSandbox()
    expect(await run(['help', 'runs', 'lgos'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'beckon: beckon runs has no command "lgos". See: beckon runs --help\n',
    })
  })

  it('prints the version of the package with --version', async () => {
    const { run } = await createSandbox()
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each(['token', 'notify'])('of %s is printed without a subcommand', async command => {
    const { run } = await createSandbox()
    const { code, stdout, stderr } = await run([command])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe((await run([command, '--help'])).stdout)
  })
})

describe('the command', () => {
  const paths = pathsOf(programWith([], {}).program).map(path => [path.join(' '), path] as const)

  it.each(paths)('%s has a summary, a description and examples', async (name, path) => {
    const { program, printed } = programWith([...path, '--help'], {})
    await expect(program.parseAsync([...path, '--help'], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 })
    const command = commandAt(program, path)
    expect(command.summary()).toMatch(/^[A-Z][^.]*[^.\s]$/)
    expect(command.description()).toMatch(/^[A-Z].*\.$/)
    expect(printed()).toMatch(new RegExp(`\\nExamples:\\n(?: {2}.*\\n)* {2}.*beckon ${name}\\b`))
  })

  it.each(paths)('%s describes each argument and each option', (_, path) => {
    const command = commandAt(programWith([], {}).program, path)
    for (const { description } of [...command.registeredArguments, ...command.options]) expect(description).not.toBe('')
  })
})

function pathsOf(command: Command): string[][] {
  const visible = command.commands.filter(sub => !sub.name().startsWith('__'))
  return visible.flatMap(sub => [[sub.name()], ...pathsOf(sub).map(path => [sub.name(), ...path])])
}

function commandAt(program: Command, path: readonly string[]): Command {
  return path.reduce((command, name) => command.commands.find(sub => sub.name() === name) as Command, program)
}
