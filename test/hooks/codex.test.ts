import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { hookCommand } from '../../src/setup/hook-command.ts'
import { createSandbox, launcher, type Sandbox, until } from '../cli/sandbox.ts'

const forcePush = 'git push --force origin main'

describe('before a command', () => {
  it('says nothing about what the guard allows, and stores nothing', async () => {
    const sandbox = await createSandbox()
    expect(await hook(sandbox, calling('ls'))).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await hook(sandbox, calling('rm -rf ~', { tool_name: 'apply_patch' }))).toMatchObject({
      code: 0,
      stdout: '',
    })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('asks about what a script of the workspace does', async () => {
    const sandbox = await createSandbox()
    writeFileSync(join(sandbox.cwd, 'x.sh'), `\n${forcePush}\n`)
    const asking = hook(sandbox, calling('bash x.sh'))
    const { id, ...request } = await sandbox.pending()
    expect(request).toMatchObject({
      action: { reasons: [{ rule: 'git/push-force', file: 'x.sh', line: 2 }], files: [join(sandbox.cwd, 'x.sh')] },
    })
    await sandbox.hub.answer(id, { answers: [{ selected: ['no'] }] })
    expect((await asking).code).toBe(2)
  })

  it('refuses what a person has a rule against', async () => {
    const sandbox = await createSandbox()
    await sandbox.run(['rules', 'add', 'deny', '--note', 'use the other one', '--', 'ls'])
    expect(await hook(sandbox, calling('ls -l'))).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('use the other one'),
    })
    expect((await hook(sandbox, calling('pwd'))).code).toBe(0)
  })

  it('refuses everything where the rules of the project cannot be read', async () => {
    const sandbox = await createSandbox()
    mkdirSync(join(sandbox.cwd, '.beckon'))
    writeFileSync(join(sandbox.cwd, '.beckon/rules.json'), '{')
    expect((await hook(sandbox, calling('ls'))).code).toBe(2)
  })

  it('runs the command after a yes, by saying nothing, and spends the yes', async () => {
    const sandbox = await createSandbox()
    const asking = hook(sandbox, calling(forcePush))
    const { id, session, agent } = await sandbox.pending()
    expect({ session, agent: agent.name }).toEqual({ session: 'thread-1', agent: 'codex' })
    await sandbox.hub.answer(id, { answers: [{ selected: ['yes'] }] })
    expect(await asking).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await sandbox.hub.get(id)).toMatchObject({
      call: { session: 'thread-1', id: 'call_1' },
      usedAt: expect.any(String),
    })
  })

  it('runs what a person changed it to', async () => {
    const sandbox = await createSandbox()
    const asking = hook(sandbox, calling(forcePush))
    const { id } = await sandbox.pending()
    const edited = { command: 'git push --force-with-lease origin main' }
    await sandbox.hub.answer(id, { answers: [{ selected: ['yes'] }], edited })
    const { code, stdout } = await asking
    expect({ code, output: JSON.parse(stdout) }).toEqual({
      code: 0,
      output: {
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: edited },
      },
    })
  })

  it('replaces the command wherever the input of the tool has it', async () => {
    const sandbox = await createSandbox()
    const input = { Command_Line: forcePush, text: forcePush, timeout: 5 }
    const asking = hook(sandbox, calling('', { tool_name: 'shell', tool_input: input }))
    const edited = { command: 'git push' }
    await sandbox.hub.answer((await sandbox.pending()).id, { answers: [{ selected: ['yes'] }], edited })
    const { updatedInput } = JSON.parse((await asking).stdout).hookSpecificOutput
    expect(updatedInput).toEqual({ Command_Line: 'git push', text: 'git push', timeout: 5 })
  })

  it('runs nothing, and tells the change, where the tool takes a list of words', async () => {
    const sandbox = await createSandbox()
    const asking = hook(sandbox, calling('', { tool_name: 'shell', tool_input: { argv: forcePush.split(' ') } }))
    const edited = { command: 'git push' }
    await sandbox.hub.answer((await sandbox.pending()).id, { answers: [{ selected: ['yes'] }], edited })
    expect(await asking).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Make this call instead: git push'),
    })
  })

  it('blocks after a no, with the reason', async () => {
    const sandbox = await createSandbox()
    const asking = hook(sandbox, calling(forcePush))
    await sandbox.hub.decline((await sandbox.pending()).id, { reason: 'not on Fridays' })
    expect(await asking).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('not on Fridays') })
  })

  it('denies with a ticket when time is up, and the same call again takes up its request and runs once', async () => {
    const sandbox = await createSandbox()
    const late = await hook(sandbox, calling(forcePush), ['--wait', '0s'])
    const { id } = await sandbox.pending()
    expect(late).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(id) })

    const again = hook(sandbox, calling(forcePush, { tool_use_id: 'call_2' }))
    await sandbox.hub.answer(id, { answers: [{ selected: ['yes'] }] })
    expect(await again).toMatchObject({ code: 0, stdout: '' })
    const third = await hook(sandbox, calling(forcePush, { tool_use_id: 'call_3' }), ['--wait', '0s'])
    expect(third.code).toBe(2)
    expect((await sandbox.hub.list({ status: 'all' })).requests.map(one => one.id === id)).toEqual([true, false])
  })

  it('runs one of two calls that take up the same ticket at the same moment', async () => {
    const sandbox = await createSandbox()
    await hook(sandbox, calling(forcePush), ['--wait', '0s'])
    const { id } = await sandbox.pending()
    const [ticket = ''] = globSync(join(sandbox.home, `hooks/*/${id}.json`))
    const left = readFileSync(ticket, 'utf8')
    const isTakenUp = () => readFileSync(ticket, 'utf8') !== left
    const first = hook(sandbox, calling(forcePush, { tool_use_id: 'call_2' }))
    await until(isTakenUp, 'the first call')
    // What the second one reads if it is as fast as the first.
    writeFileSync(ticket, left)
    const second = hook(sandbox, calling(forcePush, { tool_use_id: 'call_3' }))
    await until(isTakenUp, 'the second call')
    await sandbox.hub.answer(id, { answers: [{ selected: ['yes'] }] })
    const codes = (await Promise.all([first, second])).map(({ code }) => code)
    expect(codes.toSorted()).toEqual([0, 2])
  })

  it('keeps the tickets of two sessions apart', async () => {
    const sandbox = await createSandbox()
    await hook(sandbox, calling(forcePush), ['--wait', '0s'])
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { answers: [{ selected: ['yes'] }] })
    const other = await hook(sandbox, calling(forcePush, { session_id: 'thread-2' }), ['--wait', '0s'])
    expect(other.code).toBe(2)
    expect(await sandbox.hub.get(id)).toMatchObject({ usedAt: null })
  })
})

describe('when Codex asks for permission', () => {
  const request = { hook_event_name: 'PermissionRequest', tool_use_id: undefined }

  it('asks a person, also about what the guard allows', async () => {
    const sandbox = await createSandbox()
    const asking = hook(sandbox, calling('ls', request))
    await sandbox.hub.answer((await sandbox.pending()).id, { answers: [{ selected: ['yes'] }] })
    const { stdout } = await asking
    expect(JSON.parse(stdout).hookSpecificOutput).toEqual({
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'allow' },
    })
  })

  it('blocks what a person changed, because Codex could not run the change', async () => {
    const sandbox = await createSandbox()
    const asking = hook(sandbox, calling(forcePush, request))
    const edited = { command: 'git push' }
    await sandbox.hub.answer((await sandbox.pending()).id, { answers: [{ selected: ['yes'] }], edited })
    expect(await asking).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('git push') })
  })
})

describe('when Codex kills the script around the hook', () => {
  it('withdraws the request', async () => {
    const sandbox = await createSandbox()
    const script = startScript(sandbox, 'pipe')
    script.stdin?.end(JSON.stringify({ ...calling(forcePush), cwd: sandbox.cwd }))
    const { id } = await sandbox.pending()
    script.kill('SIGKILL')
    await until(async () => (await sandbox.hub.get(id)).status === 'cancelled', 'the request to be withdrawn')
  })

  it('withdraws the request also if it was raised after the kill', async () => {
    const sandbox = await createSandbox()
    // A pipe of its own: Node closes the stdin of a child that has exited.
    const host = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] })
    const script = startScript(sandbox, host.stdout)
    // More than all pipes in between hold: once it is written, the hook has started to read.
    await promisify((padding: string, done: () => void) => host.stdin.write(padding, done))(' '.repeat(4_000_000))
    script.kill('SIGKILL')
    await once(script, 'exit')
    host.stdin.end(JSON.stringify({ ...calling(forcePush), cwd: sandbox.cwd }))
    const withdrawn = () => sandbox.hub.list({ status: 'cancelled' })
    await until(async () => (await withdrawn()).requests.length === 1, 'the request to be withdrawn')
  })

  function startScript({ home, cwd }: Sandbox, stdin: 'pipe' | Readable) {
    const env = { BECKON_HOME: home }
    const command = hookCommand({ agent: 'codex', node: process.execPath, beckon: launcher, env })
    return spawn('/bin/sh', ['-c', `exec ${command}`], { cwd, stdio: [stdin, 'ignore', 'ignore'] })
  }
})

it.each([
  ['no JSON', '{'],
  ['another event', JSON.stringify({ ...calling('ls'), cwd: '/', hook_event_name: 'Stop' })],
  ['no session', JSON.stringify({ ...calling('ls'), cwd: '/', session_id: undefined })],
])('blocks what it cannot read: %s', async (_, input) => {
  const sandbox = await createSandbox()
  const { code, stderr } = await sandbox.run(['hook', 'codex', '--confirm', '86'], { input })
  expect({ code, says: stderr !== '' }).toEqual({ code: 2, says: true })
})

it('exits with the code that its script believes, once it has answered', async () => {
  const sandbox = await createSandbox()
  expect((await hook(sandbox, calling('ls'), ['--confirm', '86'])).code).toBe(86)
})

/** What Codex 0.166 writes to a hook. */
function calling(command: string, others: object = {}) {
  return {
    session_id: 'thread-1',
    turn_id: 'turn-1',
    transcript_path: null,
    hook_event_name: 'PreToolUse',
    model: 'gpt-5',
    permission_mode: 'bypassPermissions',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 'call_1',
    ...others,
  }
}

function hook(sandbox: Sandbox, input: object, args: string[] = []) {
  return sandbox.run(['hook', 'codex', ...args], { input: JSON.stringify({ cwd: sandbox.cwd, ...input }) })
}
