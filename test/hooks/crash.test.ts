import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../cli/sandbox.ts'
import { bash, createClaude } from './claude-host.ts'

const push = 'git push --force'
const leaving = { args: ['--wait', '0s'] }
type Claude = Awaited<ReturnType<typeof createClaude>>

describe('two hooks at once', () => {
  it('lets one of several calls run with the answer to a ticket that all take up', async () => {
    const claude = await createClaude()
    for (let round = 0; round < 4; round += 1) {
      const session = `thread-${round}`
      expect((await codex(claude, session, 'call_0')).code).toBe(2)
      await claude.hub.answer((await claude.pending()).id, { value: 'yes' })
      const calls = ['call_1', 'call_2', 'call_3', 'call_4'].map(id => codex(claude, session, id))
      const ran = (await Promise.all(calls)).filter(({ code }) => code === 0)
      expect(ran).toHaveLength(1)
      for (const { id } of (await claude.hub.list()).requests) await claude.hub.cancel(id)
    }
  })

  it('defers one of several calls whose time is up at once, and denies the others', async () => {
    const claude = await createClaude()
    for (let round = 0; round < 4; round += 1) {
      const options = { ...leaving, session: `session-${round}` }
      const calls = ['t1', 't2', 't3'].map(id => claude.hook('PreToolUse', bash(`${push} ${id}`, id), options))
      const decisions = (await Promise.all(calls)).map(({ reply }) => reply.permissionDecision)
      expect(decisions.toSorted()).toEqual(['defer', 'deny', 'deny'])
    }
  })

  it('leaves a call alone whose equal has run', async () => {
    const claude = await createClaude()
    const first = claude.start('PreToolUse', bash(push, 't1'))
    const { id } = await claude.pending()
    const second = claude.start('PreToolUse', bash(push, 't2'))
    await until(async () => (await claude.hub.list()).requests.length === 2, 'two requests')
    await claude.hub.answer(id, { value: 'yes' })
    await first.result
    const other = await claude.pending()
    await claude.hook('PostToolUse', { ...bash(push, 't1'), tool_response: {} })
    await claude.hub.answer(other.id, { value: 'yes' })
    expect(JSON.parse((await second.result).stdout).hookSpecificOutput.permissionDecision).toBe('allow')
  })

  it('waits with both hooks of one call, and both have its answer', async () => {
    const claude = await createClaude()
    const both = [1, 2, 3, 4].map(() => claude.start('PreToolUse', bash(push, 't1')))
    const { id } = await claude.pending()
    await sleep(1_500)
    expect((await claude.hub.list()).requests).toHaveLength(1)
    await claude.hub.answer(id, { value: 'yes' })
    for (const { result } of both)
      expect(await result).toMatchObject({ code: 0, stdout: expect.stringContaining('allow') })
  })

  it.each(['yes', 'no'])('tells a hook that comes late the %s that another hook of its call had', async value => {
    const claude = await createClaude()
    const first = claude.start('PreToolUse', bash(push, 't1'))
    await claude.hub.answer((await claude.pending()).id, { value })
    const told = JSON.parse((await first.result).stdout).hookSpecificOutput
    expect(told.permissionDecision).toBe(value === 'yes' ? 'allow' : 'deny')
    const late = await claude.hook('PreToolUse', bash(push, 't1'))
    expect(late).toMatchObject({ code: 0, reply: told })
    expect((await claude.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it('asks Codex again about an equal call, also one with the same id: nobody says when a call has run', async () => {
    const claude = await createClaude()
    for (const code of [2, 0, 2]) {
      expect(await codex(claude, 'thread', 'call_0')).toMatchObject({ code })
      for (const { id } of (await claude.hub.list()).requests) await claude.hub.answer(id, { value: 'yes' })
    }
  })

  it('asks again where another process of Claude, or a call after this one, has the same id', async () => {
    const claude = await createClaude()
    const first = claude.start('PreToolUse', bash(push, 't1'))
    await claude.hub.answer((await claude.pending()).id, { value: 'yes' })
    await first.result
    const resumed = await claude.hook('PreToolUse', bash(push, 't1'), { ...leaving, another: true })
    expect(resumed.reply.permissionDecision).toBe('defer')
    await claude.hub.cancel((await claude.pending()).id)
    await claude.hook('PostToolUse', { ...bash(push, 't1'), tool_response: {} })
    const next = await claude.hook('PreToolUse', bash(push, 't1'), leaving)
    expect(next.reply.permissionDecision).toBe('defer')
  })
})

describe('after a hook was killed', () => {
  it('takes up its request for the same call', async () => {
    const claude = await createClaude()
    const id = await killed(claude)
    const again = claude.start('PreToolUse', bash(push, 't1'))
    await sleep(1_000)
    await claude.hub.answer(id, { value: 'yes' })
    expect((await again.result).stdout).toContain('allow')
  })

  it('withdraws its request, also of a session that never comes back', async () => {
    const claude = await createClaude()
    const id = await killed(claude)
    await claude.hook('PreToolUse', bash(push, 't1'), { ...leaving, session: 'session-2' })
    expect(await claude.hub.get(id)).toMatchObject({ status: 'cancelled' })
  })

  it('withdraws the form that it asked with', async () => {
    const claude = await createClaude()
    const fields = { mode: 'form', message: 'Go?', requested_schema: { type: 'object', properties: {} } }
    const id = await killed(claude, 'Elicitation', fields)
    await claude.hook('PreToolUse', bash(push, 't1'), leaving)
    expect(await claude.hub.get(id)).toMatchObject({ status: 'cancelled' })
  })

  it('asks again where beckon gc has deleted its request', async () => {
    const claude = await createClaude()
    await claude.hub.cancel(await killed(claude))
    await sleep(5)
    await claude.run(['gc', '--older-than', '1ms'])
    const { reply, stderr } = await claude.hook('PreToolUse', bash(push, 't2'), leaving)
    expect({ reply, stderr }).toMatchObject({ reply: { permissionDecision: 'defer' }, stderr: '' })
  })
})

describe('what hooks keep', () => {
  it('leaves nothing open where it cannot note that it waits', async () => {
    const claude = await createClaude()
    writeFileSync(join(claude.home, 'hooks'), 'not a folder')
    const { code, stderr, reply } = await claude.hook('PreToolUse', bash(push, 't1'))
    expect({ code, reply }).toEqual({ code: 2, reply: null })
    expect(stderr).toMatch(/^beckon: .+\n$/)
    expect((await claude.hub.list()).requests).toEqual([])
  })

  it('is deleted by beckon gc, unless its request is still there', async () => {
    const claude = await createClaude()
    for (const session of ['a', 'b']) {
      const asking = claude.start('PreToolUse', bash(push, 't1'), { session })
      await claude.hub.answer((await claude.pending()).id, { value: 'yes' })
      await asking.result
    }
    await claude.hook('PermissionRequest', bash(push), { ...leaving, session: 'c' })
    const kept = () => readdirSync(join(claude.home, 'hooks'), { recursive: true }).length
    await sleep(5)
    // A folder becomes young when its last file is deleted.
    await claude.run(['gc', '--older-than', '1ms'])
    await sleep(5)
    await claude.run(['gc', '--older-than', '1ms'])
    expect(kept()).toBe(2)
    await claude.hub.decline((await claude.pending()).id)
    await sleep(5)
    await claude.run(['gc', '--older-than', '1ms'])
    await claude.run(['gc', '--older-than', '1ms'])
    expect(kept()).toBe(0)
  })
})

/** The id of the request that a killed hook has left. */
async function killed(claude: Claude, event = 'PreToolUse', fields: object = bash(push, 't1')): Promise<string> {
  const { child, result } = claude.start(event, fields)
  const { id } = await claude.pending()
  await until(() => notesIn(claude).some(name => name.endsWith(`${id}.json`)), `the note of ${id}`)
  child.kill('SIGKILL')
  await result
  return id
}

function notesIn({ home }: Claude): string[] {
  const folder = join(home, 'hooks')
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : []
}

function codex({ run, cwd }: Claude, session: string, id: string) {
  const input = { ...bash(push, id), session_id: session, cwd, hook_event_name: 'PreToolUse' }
  return run(['hook', 'codex', '--wait', '0s'], { input: JSON.stringify(input) })
}
