import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApprovalRequest, AskInput, HubApi } from '../../src/protocol/index.ts'
import { call, startServer } from '../server/test-server.ts'
import { temporaryFolder } from '../setup/databases.ts'

// Promise 10: the hub judges for itself. Every ask here comes from an agent over HTTP, who may say what it likes.

async function start() {
  const server = await startServer(join(temporaryFolder(), 'beckon.db'))
  return { server, agent: await server.client('ask'), person: await server.client('answer') }
}

async function raise(agent: HubApi, action: object, more: Partial<AskInput> = {}): Promise<ApprovalRequest> {
  const request = await agent.raise({
    kind: 'approval',
    action: { cwd: '/work', digest: 'mine', ...action },
    ...more,
  } as AskInput)
  if (request.kind !== 'approval') throw new Error(`It is a ${request.kind}.`)
  return request
}

describe('an approval that an agent asks for', () => {
  it('has the severity and the reasons of the hub, whatever the agent says', async () => {
    const { agent, person } = await start()
    const request = await raise(agent, { command: 'dropdb production', severity: 'low', reasons: [] })
    expect(request.action).toMatchObject({ severity: 'critical', reasons: [{ rule: 'db/dropdb' }] })
    // Critical actions need a terminal or the web: plain HTTP says no yes to it.
    await expect(person.answer(request.id, { value: 'yes' })).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('is stricter where the agent says so, and shows its reasons as its own words', async () => {
    const { agent } = await start()
    const said = [{ rule: 'mine', message: 'the cluster is shared', span: [0, 2] }]
    const { action } = await raise(agent, { command: 'ls', severity: 'high', reasons: said })
    expect(action).toMatchObject({ severity: 'high', reasons: [], claims: said })
  })

  it('is refused where the guard denies it', async () => {
    const { server } = await start()
    const token = await server.token('ask')
    const action = { command: 'rm -rf / --no-preserve-root', cwd: '/work', digest: 'd', severity: 'low' }
    const refused = await call(server, 'POST', '/api/requests', { token, body: { kind: 'approval', action } })
    expect(refused).toMatchObject({ status: 422, json: { error: { code: 'invalid' } } })
    expect(refused.json.error.message).toContain('deletes everything on this machine')
    expect((await server.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it("is refused where a person's rule denies it", async () => {
    const { server, agent } = await start()
    await server.hub.rules.add({ verdict: 'deny', scope: 'prefix', words: ['npm', 'publish'], within: '/' })
    await expect(raise(agent, { command: 'npm publish' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('settles nothing by being harmless', async () => {
    const { agent } = await start()
    expect(await raise(agent, { command: 'ls' })).toMatchObject({ status: 'pending', action: { severity: 'low' } })
  })

  it('offers the "always" that the hub works out, never the one that the agent names', async () => {
    const { agent, person } = await start()
    const always = { exact: true, prefix: { words: ['git', 'push'], within: '/' } }
    const { id, action } = await raise(agent, { command: 'git stash drop', always })
    expect(action.always).toEqual({ exact: true, prefix: { words: ['git', 'stash', 'drop'], within: '/work' } })
    await person.answer(id, { value: 'always prefix' })
    expect(await person.rules.list()).toMatchObject([{ words: ['git', 'stash', 'drop'], covers: ['git/stash-drop'] }])
  })

  it('gets no yes from a rule that does not cover its danger', async () => {
    const { server, agent } = await start()
    const rule = await server.hub.rules.add({ verdict: 'allow', scope: 'prefix', words: ['git', 'push'], within: '/' })
    const { id } = await raise(agent, { command: 'git push --force', reasons: [], severity: 'none' })
    await expect(agent.allowByRule(id, rule.id)).rejects.toMatchObject({ code: 'not_granted' })
    expect((await agent.get(id)).status).toBe('pending')
  })

  it('is judged without the files and the environment of the hub, where the agent is elsewhere', async () => {
    const { server, agent } = await start()
    const project = temporaryFolder()
    mkdirSync(join(project, '.git'))
    mkdirSync(join(project, '.beckon'))
    mkdirSync(join(project, 'deep'))
    const rules = { rules: [{ verdict: 'deny', command: 'npm publish', reason: 'CI does that' }] }
    writeFileSync(join(project, '.beckon', 'rules.json'), JSON.stringify(rules))
    const action = { command: 'npm publish', cwd: join(project, 'deep') }
    // On the hub's own machine the project's rules count; what an agent elsewhere calls the same folder is another one.
    await expect(raise(server.hub, action)).rejects.toMatchObject({ message: expect.stringContaining('CI does that') })
    expect((await raise(agent, action)).status).toBe('pending')
    const stash = { ...action, command: 'git stash drop' }
    expect((await raise(server.hub, stash)).action.always?.prefix?.within).toBe(project)
    expect((await raise(agent, stash)).action.always?.prefix?.within).toBe(join(project, 'deep'))
  })

  it('has a digest of the action and its facts', async () => {
    const { agent } = await start()
    const facts = (hash: string) => ({ files: [{ path: '/work/x.sh', hash }] })
    const digest = async (action: object) => (await raise(agent, { digest: 'mine', ...action })).action.digest
    const one = await digest({ command: 'bash x.sh', facts: facts('a') })
    expect(one).toMatch(/^sha256-/)
    expect(await digest({ command: 'bash x.sh', facts: facts('a') })).toBe(one)
    expect(await digest({ command: 'bash x.sh', facts: facts('b') })).not.toBe(one)
    expect(await digest({ command: 'bash x.sh ', facts: facts('a') })).not.toBe(one)
  })

  it('cannot show other words than the ones that it runs', async () => {
    const { agent } = await start()
    const hidden = raise(agent, { command: 'git stash list', argv: ['git', 'stash', 'drop'] })
    await expect(hidden).rejects.toMatchObject({ code: 'invalid', details: [{ path: 'action.argv' }] })
  })
})

describe('an approval for a tool', () => {
  it('is at least medium, whatever the agent says', async () => {
    const { agent, person } = await start()
    const { id, action } = await raise(agent, { tool: 'mcp__bank__transfer', input: { amount: 5 }, severity: 'none' })
    expect(action).toMatchObject({ tool: 'mcp__bank__transfer', input: { amount: 5 }, severity: 'medium' })
    expect(action.command).toBeUndefined()
    await person.answer(id, { value: 'yes' })
    expect((await agent.use(id)).request.usedAt).not.toBeNull()
  })

  it.each([
    ['Bash', { command: 'dropdb production', description: 'List files' }],
    ['exec_command', { cmd: 'dropdb production' }],
    ['run_shell_command', { command: 'dropdb production' }],
    ['shell', { command: ['bash', '-lc', 'dropdb production'] }],
    ['mcp__terminal__execute_command', { command: 'dropdb production' }],
  ])('is judged as a command where the tool runs commands: %s', async (tool, input) => {
    const { agent } = await start()
    const { action } = await raise(agent, { tool, input, severity: 'low' })
    expect(action).toMatchObject({ tool, input, severity: 'critical', reasons: [{ rule: 'db/dropdb' }] })
    // Behind a server's name, nobody knows what the tool makes of it.
    expect(action.command ?? '').toEqual(tool.startsWith('mcp') ? '' : expect.stringContaining('dropdb production'))
    const ruinous = 'command' in input && Array.isArray(input.command) ? ['rm', '-rf', '/'] : 'rm -rf /'
    const field = 'cmd' in input ? 'cmd' : 'command'
    const denied = raise(agent, { tool, input: { ...input, [field]: ruinous } })
    await expect(denied).rejects.toMatchObject({ code: 'invalid' })
  })

  it.each([
    ['exec_command', { command: 'ls', cmd: 'dropdb production' }],
    ['Bash', { command: 'ls', script: 'dropdb production' }],
    ['shell', { argv: ['bash', '-c', 'dropdb production'] }],
    ['run_command', { command: 'dropdb', args: ['production'] }],
    ['\uff22ash', { Command: 'dropdb production' }],
  ])('hides no command behind another one: %s %j', async (tool, input) => {
    const { server, agent } = await start()
    const rule = { verdict: 'allow', scope: 'prefix', words: ['git', 'push'], within: '/' } as const
    const { id } = await server.hub.rules.add({ ...rule, words: [...rule.words] })
    expect((await raise(agent, { tool, input })).action).toMatchObject({ severity: 'critical' })
    const hidden = await raise(agent, { tool: 'exec_command', input: { command: 'git push', cmd: 'git stash drop' } })
    expect(hidden.action.always?.prefix).toBeNull()
    await expect(agent.allowByRule(hidden.id, id)).rejects.toMatchObject({ code: 'not_granted' })
    const ruinous = raise(agent, { tool: 'exec_command', input: { command: 'ls', cmd: 'rm -rf /' } })
    await expect(ruinous).rejects.toMatchObject({ code: 'invalid' })
  })

  it.each([
    ['mcp__redis__command', { command: 'git push' }],
    ['exec_command', { command: 'git push', sql: 'DROP DATABASE prod' }],
    ['Bash', { command: 'git push', env: { GIT_DIR: '/other/.git' } }],
    ['Bash', 'git push'],
  ])('gets no yes from a rule about commands where more may happen: %s %j', async (tool, input) => {
    const { server, agent } = await start()
    const rule = await server.hub.rules.add({ verdict: 'allow', scope: 'prefix', words: ['git', 'push'], within: '/' })
    const plain = await raise(agent, { tool: 'Bash', input: { command: 'git push', description: 'Push' } })
    expect(await agent.allowByRule(plain.id, rule.id)).toMatchObject({ won: true })
    const { id, action } = await raise(agent, { tool, input })
    expect(action).toMatchObject({ severity: 'medium' })
    await expect(agent.allowByRule(id, rule.id)).rejects.toMatchObject({ code: 'not_granted' })
  })

  it.each(['/proj/../etc', '/proj/..', '//proj', '/x/./proj', 'proj'])('names its folder plainly: %s', async cwd => {
    const { agent } = await start()
    await expect(raise(agent, { command: 'ls', cwd })).rejects.toMatchObject({ details: [{ path: 'action.cwd' }] })
  })

  it('judges a command and its edit in the folder that the input names', async () => {
    const { agent, person } = await start()
    const { id, action } = await raise(agent, { tool: 'Bash', input: { command: 'rm -rf ./x', workdir: '/home' } })
    expect(action.severity).toBe('critical')
    const edit = person.answer(id, { value: 'yes', edited: { command: 'rm -rf ./build' } })
    await expect(edit).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('is bound to the meaning of its input, not to how it is spelled', async () => {
    const { agent } = await start()
    const one = await raise(agent, { tool: 'Write', input: { path: '/x', content: 'é' } })
    const same = await raise(agent, { tool: 'Write', input: { content: '\u00e9', path: '/x' } })
    const other = await raise(agent, { tool: 'Write', input: { path: '/x', content: 'e\u0301' } })
    expect(same.action.digest).toBe(one.action.digest)
    expect(other.action.digest).not.toBe(one.action.digest)
  })

  it('refuses inputs that are too deep, too long or not JSON, and actions that are neither or both', async () => {
    const { server } = await start()
    let deep: object = {}
    for (let level = 0; level < 40; level += 1) deep = { deep }
    const refused: [object, string][] = [
      [{ tool: 'x', input: deep }, 'nested too deeply'],
      [{ tool: 'x', input: 'y'.repeat(1_000_001) }, 'too long'],
      [{ tool: 'x', input: 'a\0b' }, 'NUL'],
      [{ tool: 'x' }, 'is missing'],
      [{}, 'give a command, or a tool'],
      [{ tool: 'x', input: 1, command: 'ls' }, 'cannot be combined'],
    ]
    for (const [action, message] of refused) {
      await expect(raise(server.hub, action)).rejects.toMatchObject({ message: expect.stringContaining(message) })
    }
  })

  it('is edited by another input, which is judged again', async () => {
    const { agent, person } = await start()
    const { id } = await raise(agent, { tool: 'Bash', input: { command: 'git stash drop' } })
    const ruinous = person.answer(id, { value: 'yes', edited: { input: { command: 'rm -rf /' } } })
    await expect(ruinous).rejects.toMatchObject({ code: 'invalid' })
    const critical = person.answer(id, { value: 'yes', edited: { input: { command: 'dropdb production' } } })
    await expect(critical).rejects.toMatchObject({ code: 'not_allowed' })
    const edited = { input: { command: 'git stash list' } }
    expect((await person.answer(id, { value: 'yes', edited })).request.outcome).toMatchObject({ edited })
    expect(await person.answer(id, { value: 'yes', edited })).toMatchObject({ replay: true })
    const plain = await raise(agent, { command: 'git stash drop' })
    await expect(person.answer(plain.id, { value: 'yes', edited })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('can be allowed from now on, exactly as it is', async () => {
    const { agent, person } = await start()
    const action = { tool: 'Deploy', input: { to: 'staging' } }
    const { id } = await raise(agent, action)
    await person.answer(id, { value: 'always exact' })
    const [rule] = await agent.rules.list()
    const again = await raise(agent, action)
    expect(await agent.allowByRule(again.id, rule?.id ?? '')).toMatchObject({ won: true })
    const other = await raise(agent, { tool: 'Deploy', input: { to: 'production' } })
    await expect(agent.allowByRule(other.id, rule?.id ?? '')).rejects.toMatchObject({ code: 'not_granted' })
  })
})
