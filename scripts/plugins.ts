import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeHooks } from '../src/setup/agents/claude.ts'
import { hookCommand, hookTimeout } from '../src/setup/hook-command.ts'

// Writes what the shipped plugins share with the rest of the package: its version, and the command line of their hooks.
// Run it after a change of either: node scripts/plugins.ts

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** Every written file below plugins/, and what it must contain. */
export function writtenFiles(): Record<string, string> {
  return {
    'claude/.claude-plugin/plugin.json': withVersion('claude/.claude-plugin/plugin.json'),
    'claude/.claude-plugin/marketplace.json': withVersion('claude/.claude-plugin/marketplace.json'),
    'claude/hooks/hooks.json': formatJson(claudePlugin()),
    'gemini/gemini-extension.json': withVersion('gemini/gemini-extension.json'),
    'gemini/hooks/hooks.json': formatJson(geminiHooks()),
  }
}

function withVersion(file: string): string {
  return readFileSync(join(root, 'plugins', file), 'utf8').replaceAll(/("version": )"[^"]*"/g, `$1"${version}"`)
}

/** As `beckon setup claude` installs them, but with the Beckon on PATH, which finds its hub as every command does. */
function claudePlugin(): object {
  const groups = Object.entries(claudeHooks(onPath))
  return {
    description: "A person sees dangerous commands first, and may answer Claude's dialogs from the inbox.",
    hooks: Object.fromEntries(groups.map(([event, group]) => [event, [group]])),
  }
}

/** Its limit is in milliseconds. */
function geminiHooks(): object {
  const command = hookCommand({ agent: 'gemini', ...onPath })
  const hook = { name: 'beckon', type: 'command', command, timeout: hookTimeout * 1_000 }
  return { hooks: { BeforeTool: [{ matcher: 'run_shell_command', hooks: [hook] }] } }
}

const onPath = { node: '/usr/bin/env', beckon: 'beckon', env: null }

function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

if (import.meta.main) {
  for (const [file, content] of Object.entries(writtenFiles())) writeFileSync(join(root, 'plugins', file), content)
}
