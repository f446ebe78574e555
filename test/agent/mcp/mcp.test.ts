import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentOptions } from '../../../src/agent/index.ts'
import { createSandbox, until } from '../../cli/sandbox.ts'
import { resultsIn, type Script, startModelServer } from '../model-server.ts'
import { createAgentSandbox } from '../sandbox.ts'
import type { ScriptedReply } from '../wires/wire.ts'
import { startHttpServer } from './http-server.ts'

const models = ['anthropic/scripted', 'openai/scripted', 'google/scripted', 'compatible/scripted']
const stdioEntry = { command: process.execPath, args: [join(import.meta.dirname, '../processes/mcp-server.ts')] }
const add = call('add', { a: 1, b: 2 })

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function call(tool: string, input: unknown = {}) {
  return { name: `mcp__test__${tool}`, input }
}

/** Makes these calls one after the other, and then says what came back last. */
function calling(...calls: NonNullable<ScriptedReply['calls']>): Script {
  return (seen, count) => {
    const next = calls[count - 1]
    return next ? { calls: [next] } : { text: resultsIn(seen).at(-1) ?? '' }
  }
}

async function createMcpSandbox(
  script: Script,
  entry: object = stdioEntry,
  where: 'project' | 'user' = 'user',
  model?: string,
) {
  const sandbox = await createAgentSandbox(script, model ? { model } : {})
  const configure = (entry: object, from = where) => {
    const file = from === 'user' ? join(sandbox.home, 'mcp.json') : join(sandbox.cwd, '.mcp.json')
    mkdirSync(sandbox.home, { recursive: true })
    writeFileSync(file, JSON.stringify({ mcpServers: { test: entry } }))
  }
  configure(entry)
  const open = async (more: Partial<AgentOptions> = {}) => sandbox.open({ mcp: true, ...more })
  return { ...sandbox, configure, open }
}

describe('a tool of an MCP server', () => {
  it.each(models)('is offered to %s, approved, and called once', async model => {
    const sandbox = await createMcpSandbox(calling(add), stdioEntry, 'user', model)
    const loop = await sandbox.open()
    expect(await loop.runTurn('go')).toMatchObject({
      status: 'waiting',
      question: { kind: 'approval', action: { tool: 'mcp__test__add', input: { a: 1, b: 2 } } },
    })
    expect(sandbox.server.log[0]?.tools).toContain('mcp__test__add')
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ status: 'done', text: '1 + 2 = 3 (call 1)' })
    expect(sandbox.server.violations).toEqual([])
  })

  it('is not called after a no', async () => {
    const sandbox = await createMcpSandbox(calling(add, add))
    const loop = await sandbox.open()
    await loop.runTurn('go')
    await sandbox.hub.decline(loop.getPendingQuestion()?.id ?? '', { reason: 'not now' })
    await loop.runTurn()
    expect(resultsIn(sandbox.server.log[1] as never)[0]).toContain('not now')
    await loop.answerQuestion('yes')
    // The first one never reached the server.
    expect(await loop.runTurn()).toMatchObject({ text: '1 + 2 = 3 (call 1)' })
  })

  it('is called without asking by an always-rule for exactly this input', async () => {
    const sandbox = await createMcpSandbox(calling(add, add, call('add', { a: 2, b: 2 })))
    const loop = await sandbox.open()
    await loop.runTurn('go')
    await loop.answerQuestion('always exact')
    expect(await loop.runTurn()).toMatchObject({ status: 'waiting', question: { action: { input: { a: 2, b: 2 } } } })
    expect(resultsIn(sandbox.server.log[2] as never)).toEqual(['1 + 2 = 3 (call 1)', '1 + 2 = 3 (call 2)'])
  })

  it('that only reads is asked about, unless the user’s own file allows it; a project’s file cannot', async () => {
    const lookUp = call('look_up', { word: 'beckon' })
    const own = await createMcpSandbox(calling(lookUp, add), { ...stdioEntry, allowReadOnly: true })
    const loop = await own.open()
    // Only the one that changes something is asked about.
    expect(await loop.runTurn('go')).toMatchObject({
      status: 'waiting',
      question: { action: { tool: 'mcp__test__add' } },
    })
    expect(resultsIn(own.server.log[1] as never)).toEqual(['beckon means something'])
    const project = await createMcpSandbox(calling(lookUp), { ...stdioEntry, allowReadOnly: true }, 'project')
    const other = await project.open()
    await other.runTurn('go')
    await other.answerQuestion('yes')
    expect(await other.runTurn()).toMatchObject({
      status: 'waiting',
      question: { action: { tool: 'mcp__test__look_up' } },
    })
  })

  it('has its long output shortened, its pictures stored, and its errors passed on', async () => {
    const sandbox = await createMcpSandbox(calling(call('long'), call('picture'), call('refuse')))
    const loop = await sandbox.open()
    let result = await loop.runTurn('go')
    while (result.needsInput) {
      await loop.answerQuestion('yes')
      result = await loop.runTurn()
    }
    const [long = '', picture = '', refused = ''] = resultsIn(sandbox.server.log.at(-1) as never)
    expect(long).toContain('truncated')
    expect(long.length).toBeLessThan(11_000)
    const file = /stored in (.+)\)$/.exec(picture)?.[1] ?? ''
    expect(picture).toContain('image/png')
    expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG')
    expect(refused).toContain('not today')
  })

  it('reaches a server over HTTP, with a header from the environment, and says why one cannot be reached', async () => {
    const server = await startHttpServer('s3cret')
    closing.push(server.close)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as in Claude Code's files
    const entry = { type: 'http', url: server.url, headers: { Authorization: 'Bearer ${TEST_TOKEN}' } }
    const sandbox = await createMcpSandbox(calling(add), entry)
    const loop = await sandbox.open({ env: { ...process.env, TEST_TOKEN: 's3cret' } })
    await loop.runTurn('go')
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ text: '1 + 2 = 3 (call 1)' })
    const refused = await sandbox.open()
    await refused.runTurn('go')
    expect(sandbox.events).toContainEqual(expect.objectContaining({ type: 'server', name: 'test', status: 'failed' }))
  })

  it('gets neither the model’s keys nor those of Beckon', async () => {
    const sandbox = await createMcpSandbox(calling(call('environment')))
    const env = { ...process.env, ANTHROPIC_API_KEY: 'k', BECKON_TOKEN: 't', VISIBLE: '1' }
    const loop = await sandbox.open({ env })
    await loop.runTurn('go')
    await loop.answerQuestion('yes')
    const { text = '' } = (await loop.runTurn()) as { text?: string }
    expect(text).toContain('VISIBLE')
    expect(text).not.toMatch(/ANTHROPIC_API_KEY|BECKON_TOKEN/)
  })

  it('is used by sub-agents through the same server', async () => {
    const sandbox = await createMcpSandbox((seen, count) => {
      if (count === 1) return { calls: [{ name: 'Agent', input: { name: 'adder', task: 'add' } }] }
      if (count === 2) return { calls: [add] }
      return { text: resultsIn(seen).at(-1) ?? '' }
    })
    const loop = await sandbox.open()
    await loop.runTurn('go')
    expect(loop.getPendingQuestion()).toMatchObject({ agent: { path: ['main', 'adder'] } })
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ text: '1 + 2 = 3 (call 1)' })
  })
})

describe('an MCP server', () => {
  it('that crashes gives an error, is started again once, and then stays away', async () => {
    const sandbox = await createMcpSandbox(calling(call('crash'), add, call('crash'), add))
    const loop = await sandbox.open()
    let result = await loop.runTurn('go')
    while (result.needsInput) {
      await loop.answerQuestion('yes')
      result = await loop.runTurn()
    }
    const [crash, again, second, third] = resultsIn(sandbox.server.log.at(-1) as never)
    expect(crash).toMatch(/The MCP server "test" ended/)
    expect(again).toBe('1 + 2 = 3 (call 1)')
    expect(second).toMatch(/ended/)
    expect(third).toContain('ended twice and is not started again')
  })

  it('that hangs gives an error and is started again', async () => {
    const sandbox = await createMcpSandbox(calling(call('hang'), add))
    const loop = await sandbox.open({ env: { ...process.env, MCP_TOOL_TIMEOUT: '500' } })
    await loop.runTurn('go')
    await loop.answerQuestion('yes')
    await loop.runTurn()
    expect(resultsIn(sandbox.server.log[1] as never)[0]).toContain('did not answer in time')
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ text: '1 + 2 = 3 (call 1)' })
  })

  it('that cannot start is said, and the agent works without it', async () => {
    const entry = { command: process.execPath, args: ['-e', 'console.error("no such database"); process.exit(1)'] }
    const sandbox = await createMcpSandbox(() => ({ text: 'ok' }), entry)
    expect(await (await sandbox.open()).runTurn('go')).toMatchObject({ status: 'done' })
    expect(sandbox.events).toContainEqual(
      expect.objectContaining({ type: 'server', status: 'failed', why: expect.stringContaining('no such database') }),
    )
  })

  it('with a bad entry is said, and the others work', async () => {
    const sandbox = await createMcpSandbox(() => ({ text: 'ok' }))
    writeFileSync(
      join(sandbox.home, 'mcp.json'),
      JSON.stringify({ mcpServers: { bad: { args: [] }, test: stdioEntry } }),
    )
    await (await sandbox.open()).runTurn('go')
    expect(sandbox.events).toContainEqual(expect.objectContaining({ type: 'server', name: 'bad', status: 'failed' }))
    expect(sandbox.events).toContainEqual(expect.objectContaining({ type: 'server', name: 'test', status: 'running' }))
  })

  it('of a project starts only after a yes, which counts until its entry changes', async () => {
    const sandbox = await createMcpSandbox(() => ({ text: 'ok' }), stdioEntry, 'project')
    const marker = join(sandbox.cwd, 'started')
    const entry = {
      command: 'sh',
      args: ['-c', `touch ${marker}; exec "$0" "$1"`, ...[stdioEntry.command, ...stdioEntry.args]],
    }
    sandbox.configure(entry)
    const loop = await sandbox.open()
    expect(await loop.runTurn('go')).toMatchObject({
      status: 'waiting',
      question: { kind: 'approval', action: { tool: 'StartMcpServer', input: { name: 'test', ...entry } } },
    })
    expect([existsSync(marker), sandbox.server.log.length]).toEqual([false, 0])
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(existsSync(marker)).toBe(true)
    expect(sandbox.server.log[0]?.tools).toContain('mcp__test__add')
    // Another conversation does not ask again …
    expect(await (await sandbox.open()).runTurn('go')).toMatchObject({ status: 'done' })
    // … unless the entry is another one.
    sandbox.configure({ ...entry, env: { LD_PRELOAD: './evil.so' } })
    expect(await (await sandbox.open()).runTurn('go')).toMatchObject({
      status: 'waiting',
      question: { kind: 'approval' },
    })
  })

  it('of a project that was refused is not asked about again, and its tools do not exist', async () => {
    const sandbox = await createMcpSandbox(() => ({ text: 'ok' }), stdioEntry, 'project')
    const loop = await sandbox.open()
    await loop.runTurn('go')
    await loop.answerQuestion('no')
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(await (await sandbox.open()).runTurn('go')).toMatchObject({ status: 'done' })
    expect(sandbox.server.log.flatMap(({ tools }) => tools.filter(name => name.startsWith('mcp__')))).toEqual([])
  })

  it('of a project that is still to be approved stays so when the conversation is opened again', async () => {
    const sandbox = await createMcpSandbox(() => ({ text: 'ok' }), stdioEntry, 'project')
    const loop = await sandbox.open()
    await loop.runTurn('go')
    const first = loop.getPendingQuestion()?.id ?? ''
    loop.close()
    const again = await sandbox.open({ folder: loop.folder })
    expect(again.isUnfinished()).toBe(true)
    expect(await again.runTurn()).toMatchObject({ status: 'waiting', question: { id: first } })
    await again.answerQuestion('yes')
    expect(await again.runTurn()).toMatchObject({ status: 'done' })
    expect(sandbox.server.log[0]?.tools).toContain('mcp__test__add')
  })

  it('of a project is asked about again where the request was withdrawn: that is nobody’s no', async () => {
    const sandbox = await createMcpSandbox(() => ({ text: 'ok' }), stdioEntry, 'project')
    const loop = await sandbox.open()
    await loop.runTurn('go')
    await sandbox.hub.cancel(loop.getPendingQuestion()?.id ?? '', { reason: 'stopped' })
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(await (await sandbox.open()).runTurn('go')).toMatchObject({
      status: 'waiting',
      question: { kind: 'approval' },
    })
  })

  it('is not read where a program does not want it, nor for beckon chat', async () => {
    const sandbox = await createMcpSandbox(() => ({ text: 'ok' }), stdioEntry, 'project')
    expect(await (await sandbox.open({ mcp: false })).runTurn('go')).toMatchObject({ status: 'done' })
    expect(await (await sandbox.open({ mode: 'chat' })).runTurn('go')).toMatchObject({ status: 'done' })
  })
})

describe('beckon agent run', () => {
  it('asks about a project’s server like about any action, and comes back with the answer', async () => {
    const { run, start, hub, cwd, env, atEnd } = await createSandbox()
    const server = await startModelServer(calling(add))
    atEnd(() => server.close())
    Object.assign(env, server.env, { BECKON_MODEL: 'anthropic/scripted' })
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { test: stdioEntry } }))
    const ticket = await run(['agent', 'run', 'go'], { env: { BECKON_WAIT: '100ms' } })
    expect(ticket.code).toBe(75)
    const { id } = JSON.parse(ticket.stdout)
    expect(await hub.get(id)).toMatchObject({ kind: 'approval', action: { tool: 'StartMcpServer' } })
    const running = start(['agent', 'run', '--continue'])
    await until(async () => (await hub.runs.list())[0]?.pid === running.child.pid, 'the run to start again')
    await hub.answer(id, { value: 'yes' })
    const call = await until(async () => (await hub.list()).requests[0], 'the approval of the call')
    expect(call).toMatchObject({ action: { tool: 'mcp__test__add' } })
    await hub.answer(call.id, { value: 'yes' })
    expect(await running.result).toMatchObject({ code: 0, stdout: '1 + 2 = 3 (call 1)\n' })
  })
})
