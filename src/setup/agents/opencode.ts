import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { JsonEntry } from '../text/json.ts'
import { type Agent, type Door, homeFolder, isObject, type Place, readValue, textsOf, variablesOf } from './agent.ts'

// opencode has no hooks, but plugins: files that it loads from a folder of its own. It reads opencode.json and
// opencode.jsonc, both where both exist, and adds "$schema" where that is missing.

export const opencode: Agent = {
  name: 'opencode',
  title: 'opencode',
  hooksSince: null,

  files: (place, door, options) => [
    ...(options.mcp
      ? [{ path: configFile(place), content: { format: 'json' as const, entries: [server(door)] } }]
      : []),
    ...(options.hooks
      ? [{ path: pluginFile(place), content: { format: 'whole' as const, text: door.opencodePlugin() } }]
      : []),
  ],

  notes: ({ project }) => [
    'Sessions that are open now do not know it yet: start opencode again.',
    ...(project === null ? [] : [`The files in ${project} name paths of this machine: do not commit them.`]),
  ],

  async server(place) {
    const value = readValue(configFile(place), ['mcp', 'beckon'])
    if (!isObject(value)) return null
    const [command, ...args] = textsOf(value.command)
    if (command === undefined) return null
    return { command, args, env: { ...place.env, OPENCODE: '1', ...variablesOf(value.environment) } }
  },

  hooks: place =>
    existsSync(pluginFile(place)) ? [{ event: 'plugin', command: null, file: pluginFile(place), env: place.env }] : [],
}

function configFile({ env, project }: Place): string {
  const folder = project ?? userFolder(env)
  const files = ['opencode.jsonc', 'opencode.json'].map(name => join(folder, name))
  // The one that names Beckon already, else the one that exists.
  return (
    files.find(file => readValue(file, ['mcp', 'beckon'])) ?? files.find(existsSync) ?? join(folder, 'opencode.json')
  )
}

function pluginFile({ env, project }: Place): string {
  return join(project === null ? userFolder(env) : join(project, '.opencode'), 'plugin', 'beckon.js')
}

function userFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME ? resolve(env.XDG_CONFIG_HOME) : join(homeFolder(env), '.config'), 'opencode')
}

function server({ node, beckon, env }: Door): JsonEntry {
  const value = {
    type: 'local',
    command: [node, beckon, 'mcp'],
    environment: { ...env },
    enabled: true,
    // For one call, in milliseconds; by default opencode gives up after a minute.
    timeout: 600_000,
  }
  return { path: ['mcp', 'beckon'], value, kind: 'property' }
}
