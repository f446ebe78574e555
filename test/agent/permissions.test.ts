import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from '../cli/sandbox.ts'
import { terminal } from '../cli/tmux.ts'
import { type Script, startModelServer } from './model-server.ts'

async function createModelSandbox(script: Script) {
  const sandbox = await createSandbox()
  const server = await startModelServer(script)
  sandbox.atEnd(() => server.close())
  Object.assign(sandbox.env, server.env, { BECKON_MODEL: 'anthropic/scripted' })
  return sandbox
}

const removes: Script = (seen, count) =>
  seen.items.at(-1)?.type === 'user'
    ? { calls: [{ name: 'Bash', input: { command: 'rm -rf node_modules' } }] }
    : { text: `Finished ${count}.` }

describe('/permissions', () => {
  it('lists the rules that count here, as beckon rules does, and removes one, after which the agent asks again', async () => {
    const sandbox = await createModelSandbox(removes)
    const { run, cwd, root } = sandbox
    mkdirSync(join(cwd, 'node_modules'))
    await run(['rules', 'add', 'allow', '--exact', '--', 'git stash drop'])
    await run(['rules', 'add', 'deny', '--within', root, '--', 'kubectl delete'])
    await run(['rules', 'add', 'deny', '--within', join(root, 'elsewhere'), '--', 'terraform apply'])
    const screen = terminal(sandbox, ['agent'], {}, { columns: 160 })
    await screen.shows('Ctrl-D leaves')
    screen.type('delete it')
    await screen.shows('Enter choose')
    screen.press('3')
    await screen.shows('❯ 3. yes, and always')
    screen.press('Enter')
    await screen.shows('Finished 2.')
    screen.type('/permissions')
    await screen.shows('/permissions remove N takes one back.')
    const shown = screen.screen()
    expect(shown).toContain('allow exactly "git stash drop"')
    expect(shown).toContain('deny what begins with "kubectl delete"')
    expect(shown).toContain('3. rul_')
    expect(shown).not.toContain('terraform apply')
    screen.type('/permissions remove 3')
    await screen.shows('Removed: allow exactly "rm -rf node_modules"')
    expect((await run(['rules'])).stdout).not.toContain('rm -rf node_modules')
    screen.type('again')
    await screen.shows('It wants to run')
  })

  it('lists what was decided about the servers of the project, and takes it back', async () => {
    const sandbox = await createModelSandbox(() => ({ text: 'Finished.' }))
    const entry = { command: process.execPath, args: [join(import.meta.dirname, 'processes/mcp-server.ts')] }
    writeFileSync(join(sandbox.cwd, '.mcp.json'), JSON.stringify({ mcpServers: { test: entry } }))
    const screen = terminal(sandbox, ['agent'], {}, { columns: 160 })
    await screen.shows('Ctrl-D leaves')
    screen.type('/permissions')
    await screen.shows('Nothing is decided for always here')
    screen.type('hello')
    await screen.shows('StartMcpServer')
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'yes' })
    await screen.shows('MCP server "test" has 8 tools.')
    await screen.shows('Finished.')
    screen.type('/permissions')
    await screen.shows('1. start the MCP server "test" of')
    screen.type('/permissions remove 1')
    await screen.shows('Removed: start the MCP server "test"')
    screen.type('/context')
    await screen.shows('MCP server "test" has 8 tools.')
    screen.press('C-d')
    await screen.end()
    const again = terminal(sandbox, ['agent', 'hello again'], {}, { columns: 160 })
    await again.shows('StartMcpServer')
    await until(async () => (await sandbox.hub.list()).requests.length === 1, 'the question again')
  })
})
