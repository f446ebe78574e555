import { expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../cli/sandbox.ts'

const forcePush = 'git push --force origin main'

it('says nothing about what the guard allows, and nothing about tools that run no command', async () => {
  const sandbox = await createSandbox()
  expect(await hook(sandbox, calling({ command: 'ls' }))).toEqual({ code: 0, stdout: '', stderr: '' })
  const other = calling({ file_path: 'a' }, { tool_name: 'write_file' })
  expect(await hook(sandbox, other)).toEqual({ code: 0, stdout: '', stderr: '' })
})

it('judges a command in the folder that it names', async () => {
  const sandbox = await createSandbox()
  await hook(sandbox, calling({ command: forcePush, dir_path: 'packages/web' }), ['--wait', '0s'])
  expect(await sandbox.pending()).toMatchObject({ action: { command: forcePush, cwd: `${sandbox.cwd}/packages/web` } })
})

it('allows after a yes, with the whole input where a person changed it', async () => {
  const sandbox = await createSandbox()
  const asking = hook(sandbox, calling({ command: forcePush, description: 'Push' }))
  const request = await sandbox.pending()
  expect(request).toMatchObject({ session: 'session-1', agent: { name: 'gemini' } })
  await sandbox.hub.answer(request.id, { answers: [{ selected: ['yes'] }], edited: { command: 'git push' } })
  const { code, stdout } = await asking
  expect({ code, output: JSON.parse(stdout) }).toEqual({
    code: 0,
    output: {
      decision: 'allow',
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'git push', description: 'Push' } },
    },
  })
})

it('denies with a reason after a no, and with a ticket when time is up', async () => {
  const sandbox = await createSandbox()
  const late = await hook(sandbox, calling({ command: forcePush }), ['--wait', '0s', '--confirm', '86'])
  const { id } = await sandbox.pending()
  expect({ ...late, stdout: JSON.parse(late.stdout) }).toEqual({
    code: 86,
    stdout: { decision: 'deny', reason: expect.stringContaining(id) },
    stderr: '',
  })
  const again = hook(sandbox, calling({ command: forcePush }))
  await sandbox.hub.decline(id, { reason: 'not on Fridays' })
  expect(JSON.parse((await again).stdout)).toEqual({
    decision: 'deny',
    reason: expect.stringContaining('not on Fridays'),
  })
})

it('denies what it cannot read', async () => {
  const sandbox = await createSandbox()
  const { stdout } = await sandbox.run(['hook', 'gemini', '--confirm', '86'], { input: '{' })
  expect(JSON.parse(stdout).decision).toBe('deny')
})

/** What Gemini CLI 0.61 writes to a hook. */
function calling(tool_input: object, others: object = {}) {
  return {
    session_id: 'session-1',
    transcript_path: '',
    hook_event_name: 'BeforeTool',
    timestamp: '2026-11-16T04:58:55.130Z',
    tool_name: 'run_shell_command',
    tool_input,
    ...others,
  }
}

function hook(sandbox: Sandbox, input: object, args: string[] = []) {
  return sandbox.run(['hook', 'gemini', ...args], { input: JSON.stringify({ cwd: sandbox.cwd, ...input }) })
}
