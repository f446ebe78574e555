import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../cli/sandbox.ts'
import { bash, createClaude } from './claude-host.ts'

const push = 'git push --force'

describe('beckon hook claude, before a tool runs', () => {
  it('says nothing about what the guard allows, and creates nothing', async () => {
    const claude = await createClaude()
    const nowhere = join(claude.root, 'nowhere')
    const { result } = claude.start('PreToolUse', bash('ls', 't1'), { home: nowhere })
    expect(await result).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(existsSync(nowhere)).toBe(false)
  })

  it('denies what the guard refuses, and opens the dialog where a person sits in front of it', async () => {
    const claude = await createClaude()
    const denied = await claude.hook('PreToolUse', bash('rm -rf /', 't1'), { attended: true })
    expect(denied.reply).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('deletes everything'),
    })
    const asked = await claude.hook('PreToolUse', bash(push, 't2'), { attended: true })
    expect(asked.reply).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'ask' })
    expect((await claude.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('keeps to the rules that people made', async () => {
    const claude = await createClaude()
    const rule = await claude.run(['rules', 'add', 'deny', '--note', 'only on Mondays', '--', 'make', 'deploy'])
    expect(rule.code, rule.stderr).toBe(0)
    const { reply } = await claude.hook('PreToolUse', bash('make deploy', 't1'))
    expect(reply).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('only on Mondays'),
    })
  })

  it('defers at its time limit, and the same call of the same session alone takes up the answer, once', async () => {
    const claude = await createClaude()
    const deferred = await claude.hook('PreToolUse', bash(push, 't1'), { args: ['--wait', '0s'] })
    expect(deferred.reply).toMatchObject({ permissionDecision: 'defer' })
    const { id } = await claude.pending()
    // Claude would forget the first one.
    const second = await claude.hook('PreToolUse', bash('git push -f', 't0'))
    expect(second.reply).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining(id),
    })
    await claude.hub.answer(id, { value: 'yes' })
    const [other, elsewhere] = await Promise.all([
      claude.hook('PreToolUse', bash(push, 't2'), { args: ['--wait', '0s'], claude: '4000002' }),
      claude.hook('PreToolUse', bash(push, 't1'), { args: ['--wait', '0s'], session: 'session-2' }),
    ])
    expect([other.reply.permissionDecision, elsewhere.reply.permissionDecision]).toEqual(['defer', 'defer'])
    expect((await claude.hook('PreToolUse', bash(push, 't1'), { claude: '4000003' })).reply).toMatchObject({
      permissionDecision: 'allow',
    })
    const resumed = { args: ['--wait', '0s'], claude: '4000004', another: true }
    const again = await claude.hook('PreToolUse', bash(push, 't1'), resumed)
    expect(again.reply).toMatchObject({ permissionDecision: 'defer' })
  })

  it('does not run what a person approved, once the script that it runs is another one', async () => {
    const claude = await createClaude()
    writeFileSync(join(claude.cwd, 'deploy.sh'), 'echo shown\n')
    const { result } = claude.start('PreToolUse', bash(`sh deploy.sh && ${push}`, 't1'))
    const { id } = await claude.pending()
    writeFileSync(join(claude.cwd, 'deploy.sh'), 'echo another\n')
    await claude.hub.answer(id, { value: 'yes' })
    expect((await result).stdout).toMatch(/"permissionDecision":"deny".*changed since a person approved it/)
    expect(await claude.hub.get(id)).toMatchObject({ usedAt: null })
  })

  it('blocks with a sentence whatever it cannot judge', async () => {
    const claude = await createClaude()
    const bad = await claude.run(['hook', 'claude'], { input: '{' })
    expect(bad).toMatchObject({ code: 2, stdout: '', stderr: 'beckon: What the host wrote to stdin is not JSON.\n' })
    const unknown = await claude.hook('Whatever', bash('ls'))
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('"Whatever"') })
    const unreachable = await claude.run(['hook', 'claude'], {
      input: JSON.stringify({ session_id: 's', cwd: claude.cwd, hook_event_name: 'PreToolUse', ...bash('ls', 't1') }),
      env: { BECKON_URL: 'http://127.0.0.1:9', BECKON_TOKEN: 'beckon_ask_x' },
    })
    expect(unreachable).toMatchObject({ code: 2, stdout: '' })
    expect(unreachable.stderr).not.toContain('    at ')
    const flag = await claude.run(['hook', 'claude', '--nonsense'], { input: '{}' })
    expect(flag.code).toBe(2)
  })
})

describe('beckon hook claude, beside a dialog', () => {
  it('answers it with what a person changed', async () => {
    const claude = await createClaude()
    const dialog = claude.start('PermissionRequest', bash(push), { attended: true })
    const { id } = await claude.pending()
    await claude.hub.answer(id, { value: 'yes', edited: 'git push --dry-run' })
    const { stdout } = await dialog.result
    expect(JSON.parse(stdout).hookSpecificOutput.decision).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'git push --dry-run', description: 'x' },
    })
  })

  it('withdraws the request when Claude ends the hook', async () => {
    const claude = await createClaude()
    const dialog = claude.start('PermissionRequest', bash(push), { attended: true })
    const { id } = await claude.pending()
    dialog.child.kill('SIGTERM')
    expect(await dialog.result).toMatchObject({ code: 0, stdout: '' })
    expect(await claude.hub.get(id)).toMatchObject({ status: 'cancelled' })
  })

  it('withdraws the oldest request of that session, tool and input once the tool has run', async () => {
    const claude = await createClaude()
    const first = claude.start('PermissionRequest', bash(push), { attended: true })
    const oldest = await claude.pending()
    const others = [
      claude.start('PermissionRequest', bash(push), { attended: true }),
      claude.start('PermissionRequest', bash(push), { attended: true, session: 'session-2' }),
      claude.start('PermissionRequest', bash('git push --force origin'), { attended: true }),
    ]
    await until(async () => (await claude.hub.list()).requests.length === 4, 'four requests')
    await claude.hook('PostToolUse', { ...bash(push, 't1'), tool_response: {} })
    expect(await first.result).toMatchObject({ code: 0, stdout: '' })
    const open = (await claude.hub.list()).requests
    expect(open).toHaveLength(3)
    expect(open.map(({ id }) => id)).not.toContain(oldest.id)
    for (const { child } of others) child.kill('SIGTERM')
    await Promise.all(others.map(({ result }) => result))
  })

  it('takes the transcript as a hint, and what it cannot read for nothing', async () => {
    const claude = await createClaude()
    const use = { type: 'tool_use', id: 't1', name: 'Bash', input: bash(push).tool_input }
    writeFileSync(claude.transcript, `not JSON\n${line('assistant', use)}`)
    const dialog = claude.start('PermissionRequest', bash(push), { attended: true })
    const { id } = await claude.pending()
    appendFileSync(claude.transcript, line('user', { type: 'tool_result', tool_use_id: 'another' }))
    appendFileSync(claude.transcript, line('user', { type: 'tool_result', tool_use_id: 't1' }))
    expect(await dialog.result).toMatchObject({ code: 0, stdout: '' })
    expect(await claude.hub.get(id)).toMatchObject({
      status: 'cancelled',
      outcome: { reason: expect.stringMatching(/terminal/) },
    })
  })

  it('hands out a ticket where nobody sits, and the same call again takes up its answer', async () => {
    const claude = await createClaude()
    const ticket = await claude.hook('PermissionRequest', bash(push), { args: ['--wait', '0s'] })
    const { id } = await claude.pending()
    expect(ticket.reply.decision).toMatchObject({ behavior: 'deny', message: expect.stringContaining(id) })
    await claude.hub.answer(id, { value: 'yes' })
    expect((await claude.hook('PermissionRequest', bash(push))).reply.decision).toEqual({ behavior: 'allow' })
    const next = await claude.hook('PermissionRequest', bash(push), { args: ['--wait', '0s'] })
    expect(next.reply.decision).toMatchObject({ behavior: 'deny' })
  })
})

describe('beckon hook claude, when an MCP server or the end asks', () => {
  it('turns the form of an MCP server into questions, and asks again what does not fit', async () => {
    const claude = await createClaude()
    const form = claude.start('Elicitation', {
      mcp_server_name: 'shop',
      message: 'Ship where?',
      mode: 'form',
      requested_schema: {
        type: 'object',
        properties: {
          region: {
            type: 'string',
            oneOf: [
              { const: 'kr', title: '한국' },
              { const: 'de', title: 'Deutschland' },
            ],
          },
          count: { type: 'integer', title: 'How many' },
          gift: { type: 'boolean' },
        },
        required: ['region', 'count', 'gift'],
      },
    })
    const answers = [
      { id: 'region', value: '한국' },
      { id: 'gift', value: 'no' },
    ]
    const first = await claude.pending()
    await claude.hub.answer(first.id, { answers: [...answers, { id: 'count', value: 'many' }] })
    const second = await until(async () => (await claude.hub.list()).requests[0], 'the second question')
    expect(second.context).toContain('"many" is not a whole number')
    await claude.hub.answer(second.id, { answers: [...answers, { id: 'count', value: '3' }] })
    const { stdout } = await form.result
    expect(JSON.parse(stdout).hookSpecificOutput).toEqual({
      hookEventName: 'Elicitation',
      action: 'accept',
      content: { region: 'kr', count: 3, gift: false },
    })
  })

  it('sends Claude back to work with the feedback, and reviews the same changes once', async () => {
    const claude = await createClaude()
    await claude.git()
    writeFileSync(join(claude.cwd, 'shop.txt'), 'open\n')
    const stop = claude.start(
      'Stop',
      { stop_hook_active: false, last_assistant_message: 'All done.\n\nSells at night.' },
      { args: ['--review'] },
    )
    const review = await claude.pending()
    expect(review).toMatchObject({
      kind: 'review',
      title: 'Review the work of Claude: All done.',
      context: 'Sells at night.\n\n1 file changed (+1 −0) since the last commit.',
      diff: expect.stringContaining('+open'),
    })
    await claude.hub.answer(review.id, { value: 'changes', text: 'say closed' })
    expect(JSON.parse((await stop.result).stdout)).toEqual({
      decision: 'block',
      reason: expect.stringContaining('say closed'),
    })
    const again = await claude.hook('Stop', { stop_hook_active: true }, { args: ['--review'] })
    expect(again).toMatchObject({ code: 0, reply: null })
    expect((await claude.hook('Stop', { stop_hook_active: false })).reply).toBeNull()
  })
})

function line(role: string, part: object): string {
  return `${JSON.stringify({ type: role, message: { role, content: [part] } })}\n`
}
