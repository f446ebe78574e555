import { join, resolve } from 'node:path'
import type { Json } from '../../protocol/canonical-json.ts'
import { type HookInstallation, hookCommand, hookTimeout } from '../hook-command.ts'
import type { JsonEntry } from '../text/json.ts'
import {
  type Agent,
  type Door,
  homeFolder,
  type Place,
  readHooks,
  readServer,
  readValue,
  type SetupOptions,
} from './agent.ts'

// Claude Code keeps a user's MCP servers in .claude.json, which it rewrites often, and those of one project in the same
// file: unlike the ones of .mcp.json, they are not shared with others, whose paths differ, and need no approval. Hooks of a
// project belong into settings.local.json for the same reason.

export const claude: Agent = {
  name: 'claude',
  title: 'Claude Code',
  // Older versions ignore "onFailure".
  hooksSince: '2.1.295',

  files: (place, door, options) => [
    ...(options.mcp
      ? [{ path: serversFile(place), content: { format: 'json' as const, entries: [server(place, door)] } }]
      : []),
    ...(options.hooks
      ? [{ path: settingsFile(place), content: { format: 'json' as const, entries: hooks(door, options) } }]
      : []),
  ],

  notes: (_, { hooks, resume }) => [
    'Sessions that are open now do not know it yet: start claude again.',
    ...(hooks && !resume
      ? ['A call that claude -p defers is not resumed by itself; with --resume, Beckon resumes it once it is answered.']
      : []),
  ],

  async server(place) {
    return readServer(readValue(serversFile(place), serverPath(place)), place.env)
  },

  hooks: place => readHooks(settingsFile(place), place.env),
}

function serversFile({ env }: Place): string {
  return join(env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : homeFolder(env), '.claude.json')
}

function settingsFile({ env, project }: Place): string {
  if (project !== null) return join(project, '.claude', 'settings.local.json')
  return join(
    env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(homeFolder(env), '.claude'),
    'settings.json',
  )
}

function serverPath({ project }: Place): string[] {
  return [...(project === null ? [] : ['projects', project]), 'mcpServers', 'beckon']
}

function server(place: Place, { node, beckon, env }: Door): JsonEntry {
  const value = { type: 'stdio', command: node, args: [beckon, 'mcp'], env: { ...env } }
  return { path: serverPath(place), value, kind: 'property' }
}

function hooks({ node, beckon, env }: Door, { resume, review }: SetupOptions): JsonEntry[] {
  const args = [...(resume ? ['--resume'] : []), ...(review ? ['--review'] : [])]
  const groups = Object.entries(claudeHooks({ node, beckon, env, args }, { review }))
  return groups.map(([event, group]) => ({ path: ['hooks', event], value: group, kind: 'element' }))
}

/**
 * What fails before a call is made blocks it. Afterwards there is nothing left to block, and an agent that must not stop
 * would work for ever.
 */
export function claudeHooks(
  installation: Omit<HookInstallation, 'agent' | 'timeout'>,
  { review = false }: { review?: boolean } = {},
): Record<string, Json> {
  const before = { ...hook(hookTimeout), onFailure: 'block' }
  const besideDialog = { ...hook(dialogTimeout), onFailure: 'block' }
  const afterwards = hook(hookTimeout, ' || true')
  return {
    PreToolUse: { matcher: 'Bash|Monitor|PowerShell', hooks: [before] },
    PermissionRequest: { matcher: '*', hooks: [besideDialog] },
    PostToolUse: { matcher: '*', hooks: [afterwards] },
    PostToolUseFailure: { matcher: '*', hooks: [afterwards] },
    Elicitation: { hooks: [besideDialog] },
    ...(review ? { Stop: { hooks: [afterwards] } } : {}),
  }

  function hook(timeout: number, after = '') {
    return { type: 'command', command: hookCommand({ agent: 'claude', ...installation, timeout }) + after, timeout }
  }
}

// Claude's dialog stays open for as long as it takes, and the request in the inbox beside it.
const dialogTimeout = 86_400
