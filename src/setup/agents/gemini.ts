import { join, resolve } from 'node:path'
import { invalid } from '../../protocol/errors.ts'
import { hookCommand, hookTimeout } from '../hook-command.ts'
import type { JsonEntry } from '../text/json.ts'
import { type Agent, type Door, homeFolder, type Place, readHooks, readServer, readValue } from './agent.ts'

// Gemini CLI has servers and hooks in one file. It removes variables that look like secrets from what it starts, and
// replaces $NAME in every text of the file, for which it knows no escape.

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  hooksSince: null,

  files(place, door, { mcp, hooks }) {
    refuseDollars(door)
    const entries = [...(mcp ? [server(door)] : []), ...(hooks ? [hook(door)] : [])]
    return entries.length === 0 ? [] : [{ path: settingsFile(place), content: { format: 'json', entries } }]
  },

  notes: ({ project }) => [
    'Gemini CLI starts MCP servers only in folders that you trust; it asks when you start it there.',
    ...(project === null ? [] : [`It reads this file only when it is started in ${project}.`]),
    ...(project === null
      ? []
      : [`${settingsFile({ project, env: {} })} names paths of this machine: do not commit it.`]),
  ],

  async server(place) {
    return readServer(readValue(settingsFile(place), ['mcpServers', 'beckon']), withoutSecrets(place.env))
  },

  hooks: place => readHooks(settingsFile(place), withoutSecrets(place.env)),
}

function settingsFile({ env, project }: Place): string {
  const home = env.GEMINI_CLI_HOME ? resolve(env.GEMINI_CLI_HOME) : homeFolder(env)
  return join(project ?? home, '.gemini', 'settings.json')
}

function server({ node, beckon, env }: Door): JsonEntry {
  const value = { command: node, args: [beckon, 'mcp'], env: { ...env }, timeout: 600_000 }
  return { path: ['mcpServers', 'beckon'], value, kind: 'property' }
}

/** Its limit is in milliseconds. */
function hook({ node, beckon, env }: Door): JsonEntry {
  const command = hookCommand({ agent: 'gemini', node, beckon, env })
  const hooks = [{ name: 'beckon', type: 'command', command, timeout: hookTimeout * 1_000 }]
  return { path: ['hooks', 'BeforeTool'], value: { matcher: 'run_shell_command', hooks }, kind: 'element' }
}

function refuseDollars({ node, beckon, env }: Door): void {
  const found = [node, beckon, ...Object.values(env)].find(text => text.includes('$'))
  if (found === undefined) return
  throw invalid([{ path: '', message: `Gemini CLI replaces $NAME in its settings, so it cannot be given ${found}` }])
}

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/TOKEN|SECRET|PASSWORD|KEY|AUTH|CREDENTIAL|CERT/i.test(name)),
  )
}
