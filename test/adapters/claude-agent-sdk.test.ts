import { expect, it } from 'vitest'
import { canUseTool } from '../../src/adapters/claude-agent-sdk.ts'
import { createSandbox, until } from '../cli/sandbox.ts'

const database = {
  question: 'Which database?',
  header: 'Database',
  options: [{ label: 'SQLite', description: 'one file' }, { label: 'PostgreSQL' }],
  multiSelect: false,
}

it('gives two calls at once their own answers, whatever the order, and Claude the command that a person changed', async () => {
  const { decide, pending, hub } = await createPermission()
  const one = decide('Bash', { command: 'npm publish' })
  const other = decide('Bash', { command: 'git push' })
  const [push, publish] = await pending(2)
  await hub.answer(push?.id ?? '', { value: 'yes', edited: 'git push --dry-run' })
  await hub.decline(publish?.id ?? '', { reason: 'not today' })
  expect(await other).toEqual({ behavior: 'allow', updatedInput: { command: 'git push --dry-run' } })
  expect(await one).toEqual({
    behavior: 'deny',
    message: expect.stringMatching(/^declined: A person said no: not today\./),
  })
  expect((await hub.get(push?.id ?? '')).usedAt).not.toBeNull()
})

it('answers AskUserQuestion in its input, and a question that nobody answers is not a yes', async () => {
  const { decide, pending, hub } = await createPermission({ timeout: '1h' })
  const answered = decide('AskUserQuestion', { questions: [database] })
  await hub.answer((await pending(1))[0]?.id ?? '', { value: 'SQLite' })
  expect(await answered).toEqual({
    behavior: 'allow',
    updatedInput: { questions: [database], answers: { 'Which database?': 'SQLite' } },
  })
  const declined = decide('AskUserQuestion', { questions: [database] })
  await hub.decline((await pending(1))[0]?.id ?? '', { reason: 'you choose' })
  expect(await declined).toEqual({ behavior: 'deny', message: expect.stringMatching(/^declined: .*: you choose\./) })
  const expired = decide('Write', { file_path: 'a', content: 'b' })
  await hub.reschedule((await pending(1))[0]?.id ?? '', 1)
  expect(await expired).toEqual({
    behavior: 'deny',
    message: expect.stringMatching(/^expired: Nobody decided in time\./),
  })
})

it('takes up a yes that the program did not use before it died, once, and never in another conversation', async () => {
  const { decide, pending, hub } = await createPermission()
  const stopped = new AbortController()
  const before = decide('Bash', { command: 'git push' }, { stop: stopped.signal })
  const [request] = await pending(1)
  stopped.abort()
  await expect(before).rejects.toThrow()
  await hub.answer(request?.id ?? '', { value: 'yes' })

  const elsewhere = decide('Bash', { command: 'git push' }, { thread: 'other' })
  expect((await pending(1))[0]?.session).toBe('other')
  expect(await decide('Bash', { command: 'git push' })).toMatchObject({ behavior: 'allow' })
  const again = decide('Bash', { command: 'git push' })
  for (const { id } of await pending(2)) await hub.decline(id)
  expect(await Promise.all([elsewhere, again])).toEqual(Array(2).fill(expect.objectContaining({ behavior: 'deny' })))
})

it('withdraws what Claude does not need any more, and refuses what the guard refuses without asking', async () => {
  const { decide, pending, hub } = await createPermission()
  const interrupted = new AbortController()
  const call = decide('Bash', { command: 'git push' }, { signal: interrupted.signal })
  const [request] = await pending(1)
  interrupted.abort()
  await expect(call).rejects.toThrow()
  expect(await hub.get(request?.id ?? '')).toMatchObject({ status: 'cancelled' })
  expect(await decide('Bash', { command: 'rm -rf /' })).toEqual({
    behavior: 'deny',
    message: expect.stringMatching(/^refused: Bash is refused: /),
  })
})

async function createPermission(options: { timeout?: string } = {}) {
  const { hub, cwd } = await createSandbox()
  let count = 0
  return { hub, decide, pending }

  function decide(
    tool: string,
    input: Record<string, unknown>,
    {
      thread = 'main',
      stop,
      signal = new AbortController().signal,
    }: { thread?: string; stop?: AbortSignal; signal?: AbortSignal } = {},
  ) {
    count += 1
    const ask = canUseTool(hub, { thread, cwd, ...options, ...(stop ? { signal: stop } : {}) })
    return ask(tool, input, { signal, toolUseID: `toolu_${count}` })
  }

  async function pending(length: number) {
    const requests = await until(async () => {
      const { requests } = await hub.list()
      return requests.length === length ? requests : null
    }, `${length} open requests`)
    return requests.toSorted(byCommand)
  }
}

function byCommand(a: object, b: object): number {
  const command = (one: object) => ('action' in one ? JSON.stringify(one.action) : '')
  return command(a) < command(b) ? -1 : 1
}
