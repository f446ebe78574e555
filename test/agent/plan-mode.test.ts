import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from '../cli/sandbox.ts'
import { terminal } from '../cli/tmux.ts'
import { resultsIn, type Script, startModelServer } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'
import type { ScriptedReply } from './wires/wire.ts'

const models = ['anthropic/scripted', 'openai/scripted', 'google/scripted', 'compatible/scripted']
const write = { name: 'Write', input: { path: 'a.txt', content: 'done' } }
const present = { name: 'PresentPlan', input: { title: 'Write a.txt', plan: '1. Write `a.txt`' } }

/** Makes these calls, a reply each, and then says what came back last. */
function calling(...replies: NonNullable<ScriptedReply['calls']>[]): Script {
  return (seen, count) => {
    const calls = replies[count - 1]
    return calls ? { calls } : { text: resultsIn(seen).at(-1) ?? '' }
  }
}

describe('plan mode', () => {
  it.each(models)('with %s refuses changes until the plan is approved, and then makes them', async model => {
    const sandbox = await createAgentSandbox(calling([write], [present, write]), { model })
    const loop = await sandbox.open({ plan: true })
    expect(await loop.runTurn('go')).toMatchObject({
      status: 'waiting',
      question: { kind: 'review', title: 'Write a.txt', context: '1. Write `a.txt`' },
    })
    expect(resultsIn(sandbox.server.log[1] as never)[0]).toContain('Write is refused in plan mode')
    expect(existsSync(join(sandbox.cwd, 'a.txt'))).toBe(false)
    expect(sandbox.server.log[0]?.system).toContain('Plan mode')
    expect(sandbox.server.log[0]?.tools).toContain('PresentPlan')
    await loop.answerQuestion('approve')
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(existsSync(join(sandbox.cwd, 'a.txt'))).toBe(true)
    expect(loop.isPlanning()).toBe(false)
    expect(sandbox.server.log.at(-1)?.tools).not.toContain('PresentPlan')
    expect(sandbox.server.log.at(-1)?.system).not.toContain('Plan mode')
    expect(sandbox.server.violations).toEqual([])
  })

  it('lets it read and search, and runs no command at all', async () => {
    const sandbox = await createAgentSandbox(
      calling([
        { name: 'Read', input: { path: 'b.txt' } },
        { name: 'Glob', input: { pattern: '*' } },
        { name: 'Grep', input: { pattern: 'hello' } },
        { name: 'Bash', input: { command: 'ls' } },
        { name: 'Edit', input: { path: 'b.txt', old: 'hello', new: 'bye' } },
      ]),
    )
    writeFileSync(join(sandbox.cwd, 'b.txt'), 'hello\n')
    await (await sandbox.open({ plan: true })).runTurn('go')
    const [read, glob, grep, bash, edit] = resultsIn(sandbox.server.log[1] as never)
    expect([read, glob, grep].map(text => text?.includes('refused'))).toEqual([false, false, false])
    expect([bash, edit].map(text => text?.includes('is refused in plan mode'))).toEqual([true, true])
  })

  it('passes on what the person adds to a yes', async () => {
    const sandbox = await createAgentSandbox(calling([present]))
    const loop = await sandbox.open({ plan: true })
    await loop.runTurn('go')
    await loop.answerQuestion({ value: 'approve', note: 'but in b.txt' })
    const { text } = (await loop.runTurn()) as { text: string }
    expect(text).toContain('approved the plan. They add, and it counts more than the plan: but in b.txt')
    expect(loop.isPlanning()).toBe(false)
  })

  it('stays on when the person wants changes, says no, or nobody decides', async () => {
    const sandbox = await createAgentSandbox(calling([present, write], [present, write], [present, write]))
    const loop = await sandbox.open({ plan: true })
    await loop.runTurn('go')
    await loop.answerQuestion({ value: 'changes', text: 'test it first' })
    await loop.runTurn()
    await sandbox.hub.decline(loop.getPendingQuestion()?.id ?? '', { reason: 'not today' })
    await loop.runTurn()
    await sandbox.hub.cancel(loop.getPendingQuestion()?.id ?? '', { reason: 'gone' })
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    const [changes, , no, , nobody] = resultsIn(sandbox.server.log.at(-1) as never)
    expect(changes).toContain('wants changes to the plan: test it first')
    expect(no).toContain('said no to the plan: not today')
    expect(nobody).toContain('It is not approved')
    expect([loop.isPlanning(), existsSync(join(sandbox.cwd, 'a.txt'))]).toEqual([true, false])
  })

  it('survives the process, before and after the approval', async () => {
    const sandbox = await createAgentSandbox(calling([present], [write]))
    const first = await sandbox.open({ plan: true })
    await first.runTurn('go')
    first.close()
    const second = await sandbox.open({ folder: first.folder })
    expect([second.isPlanning(), second.getPendingQuestion()?.kind]).toEqual([true, 'review'])
    await second.answerQuestion('approve')
    second.close()
    const third = await sandbox.open({ folder: first.folder })
    expect(await third.runTurn()).toMatchObject({ status: 'done' })
    expect(existsSync(join(sandbox.cwd, 'a.txt'))).toBe(true)
    third.close()
    expect((await sandbox.open({ folder: first.folder })).isPlanning()).toBe(false)
  })

  it('binds sub-agents, which cannot present a plan themselves', async () => {
    const sandbox = await createAgentSandbox((seen, count) => {
      if (count === 1) return { calls: [{ name: 'Agent', input: { name: 'worker', task: 'work' } }] }
      if (count === 2) return { calls: [write, present] }
      return { text: resultsIn(seen).join('\n') }
    })
    const loop = await sandbox.open({ plan: true })
    const { text } = (await loop.runTurn('go')) as { text: string }
    expect(text).toContain('Write is refused in plan mode')
    expect(text).toContain('Only the agent that talks with the user presents a plan')
    expect(existsSync(join(sandbox.cwd, 'a.txt'))).toBe(false)
  })

  it('withdraws the approval of a command that waits when a person turns it on', async () => {
    const sandbox = await createAgentSandbox(calling([{ name: 'Bash', input: { command: 'rm -rf src' } }]))
    const loop = await sandbox.open()
    await loop.runTurn('go')
    const { id = '' } = loop.getPendingQuestion() ?? {}
    loop.setPlanning(true)
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(await sandbox.hub.get(id)).toMatchObject({ status: 'cancelled' })
  })

  it('stays as the person set it when they rewind, and needs the approval again that they took back', async () => {
    const sandbox = await createAgentSandbox((_, count) => (count === 2 ? { calls: [present] } : { text: 'ok' }))
    const loop = await sandbox.open()
    await loop.runTurn('one')
    loop.setPlanning(true)
    await loop.runTurn('two')
    await loop.answerQuestion('approve')
    await loop.runTurn()
    expect(loop.isPlanning()).toBe(false)
    const [first, second] = loop.turns()
    await loop.rewind({ to: second?.line ?? 0, checkpoint: null })
    expect(loop.isPlanning()).toBe(true)
    await loop.rewind({ to: first?.line ?? 0, checkpoint: null })
    expect(loop.isPlanning()).toBe(true)
    loop.setPlanning(false)
    expect(loop.isPlanning()).toBe(false)
  })

  it('is over when the person ends it, and is not part of a usual conversation', async () => {
    const sandbox = await createAgentSandbox(calling([write]))
    const loop = await sandbox.open({ plan: true })
    loop.setPlanning(false)
    await loop.runTurn('go')
    expect(existsSync(join(sandbox.cwd, 'a.txt'))).toBe(true)
    expect(sandbox.server.log[0]?.tools).not.toContain('PresentPlan')
  })
})

describe('beckon agent', () => {
  async function createPlanningSandbox() {
    const sandbox = await createSandbox()
    const server = await startModelServer(calling([present], [write]))
    sandbox.atEnd(() => server.close())
    Object.assign(sandbox.env, server.env, { BECKON_MODEL: 'anthropic/scripted' })
    return { ...sandbox, server }
  }

  it('run --plan shows the plan, survives kill -9, and changes something only after the yes', async () => {
    const { start, pending, hub, cwd } = await createPlanningSandbox()
    const running = start(['agent', 'run', '--plan', 'go'])
    const { id } = await pending()
    running.child.kill('SIGKILL')
    await running.result
    const again = start(['agent', 'run', '--continue'])
    await until(async () => (await hub.runs.list())[0]?.pid === again.child.pid, 'the run to start again')
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
    await hub.answer(id, { value: 'approve' })
    expect(await again.result).toMatchObject({ code: 0 })
    expect(existsSync(join(cwd, 'a.txt'))).toBe(true)
  })

  it('shows the plan in the terminal with /plan, and carries it out after the yes', async () => {
    const sandbox = await createPlanningSandbox()
    const screen = terminal(sandbox, ['agent'])
    await screen.shows('Ctrl-D leaves')
    screen.type('/plan write the file')
    await screen.shows('Plan mode: the agent reads')
    await screen.shows('1. Write a.txt')
    await screen.shows('Enter choose')
    expect(existsSync(join(sandbox.cwd, 'a.txt'))).toBe(false)
    screen.press('1')
    await screen.shows('❯ 1. approve')
    screen.press('Enter')
    await screen.shows('Plan mode is over')
    await until(() => existsSync(join(sandbox.cwd, 'a.txt')), 'the file')
  })
})
