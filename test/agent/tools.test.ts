import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../cli/sandbox.ts'
import { resultsIn } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'

type Calls = [name: string, input: unknown][]

/** Runs these calls one after the other and returns their results. */
async function results(calls: Calls, prepare: (cwd: string, root: string) => void = () => {}) {
  const sandbox = await createAgentSandbox((_, count) => {
    const [name = '', input] = calls[count - 1] ?? []
    return name ? { calls: [{ name, input }] } : { text: 'ok' }
  })
  prepare(sandbox.cwd, sandbox.root)
  const loop = await sandbox.open()
  const result = await loop.runTurn('go')
  return { ...sandbox, loop, result, outputs: result.needsInput ? [] : resultsIn(sandbox.server.log.at(-1) as never) }
}

describe('tools', () => {
  it('read files by line and say how to read the rest', async () => {
    const { outputs } = await results(
      [
        ['Read', { path: 'a.txt', offset: 2, limit: 2 }],
        ['Read', { path: '.' }],
        ['Read', { path: 'b.bin' }],
        ['Read', { path: 'a.txt', offset: 99 }],
        ['Read', { path: 'empty' }],
      ],
      cwd => {
        writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n셋\nfour\n')
        writeFileSync(join(cwd, 'b.bin'), Buffer.from([1, 0, 2]))
        writeFileSync(join(cwd, 'empty'), '')
      },
    )
    expect(outputs[0]).toBe('     2\ttwo\n     3\t셋\n(1 more lines; read on with offset 4)')
    expect(outputs[1]).toContain('is a folder')
    expect(outputs[2]).toContain('is not a text')
    expect(outputs[3]).toContain('has 4 lines')
    expect(outputs[4]).toBe('(the file is empty)')
  })

  it('edit text that occurs once, and explain why an edit fails', async () => {
    const { outputs, cwd } = await results(
      [
        ['Edit', { path: 'a.txt', old: 'x', new: 'y' }],
        ['Edit', { path: 'a.txt', old: 'nowhere', new: 'y' }],
        ['Edit', { path: 'a.txt', old: 'x', new: '$& y', all: true }],
        ['Edit', { path: 'missing', old: 'x', new: 'y' }],
        ['Write', { path: 'deep/er/new.txt', content: 'one\ntwo\n' }],
      ],
      cwd => writeFileSync(join(cwd, 'a.txt'), 'x and x\n'),
    )
    expect(outputs[0]).toMatch(/occurs 2 times[\s\S]*Hint: /)
    expect(outputs[1]).toContain('was not found')
    expect(outputs[2]).toBe('Edited a.txt: 2 places.')
    expect(outputs[3]).toContain('does not exist')
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('$& y and $& y\n')
    expect(readFileSync(join(cwd, 'deep/er/new.txt'), 'utf8')).toBe('one\ntwo\n')
  })

  it('find files and text in them', async () => {
    const { outputs } = await results(
      [
        ['Glob', { pattern: '**/*.ts' }],
        ['Grep', { pattern: 'hel+o', glob: '*.ts' }],
        ['Grep', { pattern: '(' }],
        ['Grep', { pattern: 'nothing like it' }],
        ['Glob', { pattern: '*', path: 'nowhere' }],
        ['Grep', { pattern: '--version' }],
      ],
      cwd => {
        mkdirSync(join(cwd, 'src'))
        writeFileSync(join(cwd, 'src/a.ts'), 'const x = "hello"\n')
        writeFileSync(join(cwd, 'b.md'), 'hello\n')
      },
    )
    expect(outputs[0]).toBe('src/a.ts')
    expect(outputs[1]).toMatch(/src\/a\.ts:1:const x = "hello"$/)
    expect(outputs[2]).toContain('Hint: Check the expression')
    expect(outputs[3]).toBe('No matches.')
    expect(outputs[4]).toContain('is not a folder')
    expect(outputs[5]).toBe('No matches.')
  })

  it('run commands with both outputs, exit codes and a time limit, and leave no process behind', async () => {
    const { outputs } = await results([
      ['Bash', { command: 'echo out; echo err >&2; exit 3' }],
      ['Bash', { command: 'sleep 600 & echo "started $!"; wait', timeout: 0.3 }],
      ['Bash', { command: 'read x; echo "got [$x]"' }],
      ['Bash', { command: 'printf "\\355\\225\\234"' }],
    ])
    expect(outputs[0]).toMatch(/out[\s\S]*err[\s\S]*\(exit code 3\)/)
    expect(outputs[1]).toContain('longer than 0.3 seconds')
    expect(outputs[2]).toBe('got []')
    expect(outputs[3]).toBe('한')
    const [, left = ''] = /started (\d+)/.exec(outputs[1] ?? '') ?? []
    await until(
      () => !existsSync(`/proc/${left}`) || readFileSync(`/proc/${left}/stat`, 'latin1').includes(') Z'),
      'its end',
    )
  })

  it('run commands in the background, with an output file that can be read', async () => {
    const { outputs, cwd } = await results([
      ['Bash', { command: 'echo serving; touch up; sleep 30', background: true }],
      ['Bash', { command: 'while [ ! -e up ]; do sleep 0.01; done' }],
    ])
    const [, group = '', file = ''] = /process group (\d+); its output goes to (\S+?)\. /.exec(outputs[0] ?? '') ?? []
    expect(existsSync(join(cwd, 'up'))).toBe(true)
    await until(() => readFileSync(file, 'utf8').includes('serving'), 'its output')
    process.kill(-Number(group), 'SIGKILL')
  })

  it('keep a to-do list', async () => {
    const todos = [
      { text: 'look', status: 'done' },
      { text: 'mend', status: 'doing' },
      { text: 'test', status: 'open' },
    ]
    const { outputs, events } = await results([['Todo', { todos }]])
    expect(outputs).toEqual(['[x] look\n[>] mend\n[ ] test'])
    expect(events.find(({ type }) => type === 'call')).toMatchObject({ title: '1/3 done, now: mend' })
  })

  it.each(['http://127.0.0.1:1/', 'http://[::ffff:127.0.0.1]/', 'http://169.254.169.254/latest', 'http://localhost/'])(
    'do not fetch %s',
    async url => {
      const { outputs } = await results([['WebFetch', { url }]])
      expect(outputs[0]).toContain('is an address of this machine or its network')
    },
  )

  it('do not fetch files', async () => {
    const { outputs } = await results([['WebFetch', { url: 'file:///etc/passwd' }]])
    expect(outputs[0]).toContain('The input of WebFetch is invalid')
  })
})

describe('the workspace', () => {
  const outside: [string, string, unknown][] = [
    ['an absolute path', 'Read', { path: '/etc/hostname' }],
    ['a path to the parent folder', 'Write', { path: '../x', content: 'y' }],
    ['a sibling folder whose name starts the same', 'Glob', { pattern: '*', path: '../work' }],
    ['a link to a folder outside', 'Read', { path: 'link/secret.txt' }],
    ['a link to a file that does not exist yet', 'Write', { path: 'dangling', content: 'y' }],
    ['the home folder', 'Grep', { pattern: 'x', path: '~' }],
  ]

  it.each(outside)('is not left without an approval: %s', async (_, name, input) => {
    const { result, loop, root, server, hub } = await results([[name, input]], (cwd, root) => {
      writeFileSync(join(root, 'secret.txt'), 'secret')
      symlinkSync(root, join(cwd, 'link'))
      symlinkSync(join(root, 'new.txt'), join(cwd, 'dangling'))
    })
    expect(result).toMatchObject({ status: 'waiting', question: { kind: 'approval' } })
    expect(existsSync(join(root, 'new.txt')) || existsSync(join(root, 'x'))).toBe(false)
    await hub.decline(loop.getPendingQuestion()?.id ?? '', { reason: 'stay inside' })
    await loop.runTurn()
    expect(resultsIn(server.log[1] as never)[0]).toContain('stay inside')
    expect(existsSync(join(root, 'new.txt')) || existsSync(join(root, 'x'))).toBe(false)
  })

  it('is left once after an approval', async () => {
    const { loop, root, server } = await results([['Read', { path: '../allowed.txt' }]], (_, root) =>
      writeFileSync(join(root, 'allowed.txt'), 'inside out'),
    )
    expect(loop.getPendingQuestion()).toMatchObject({
      action: { tool: 'Read', input: { path: join(root, 'allowed.txt') } },
    })
    await loop.answerQuestion('yes')
    await loop.runTurn()
    expect(resultsIn(server.log[1] as never)).toEqual(['     1\tinside out'])
  })

  it.each(['home/beckon.db', 'link-to-home/key'])(
    "never gives access to Beckon's own files, even if they are inside it: %s",
    async path => {
      const sandbox = await createAgentSandbox((_, count) =>
        count === 1 ? { calls: [{ name: 'Read', input: { path } }] } : { text: 'ok' },
      )
      symlinkSync(sandbox.home, join(sandbox.root, 'link-to-home'))
      await (await sandbox.open({ cwd: sandbox.root })).runTurn('go')
      expect(resultsIn(sandbox.server.log[1] as never)[0]).toContain("Beckon's own files")
    },
  )
})
