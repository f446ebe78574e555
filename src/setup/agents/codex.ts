import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { readConfig } from '../config-file.ts'
import { hookCommand, hookTimeout } from '../hook-command.ts'
import type { Json, JsonEntry } from '../text/json.ts'
import { type Agent, type Door, homeFolder, isObject, type Place, readHooks, readServer, textsOf } from './agent.ts'

// Codex starts MCP servers with a few variables of its own choice, so the entry names the hub, and passes on what tells
// which run it works in. Its limit for a call is hard: progress does not extend it.

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  hooksSince: null,

  files: (place, door, options) => [
    ...(options.mcp
      ? [{ path: join(folderOf(place), 'config.toml'), content: { format: 'toml' as const, ...server(door) } }]
      : []),
    ...(options.hooks ? [{ path: hooksFile(place), content: { format: 'json' as const, entries: hooks(door) } }] : []),
  ],

  notes: ({ project }, { hooks }) => [
    ...(hooks ? ['Codex runs hooks only after you trust them: open codex, /hooks'] : []),
    ...(project === null ? [] : ['Codex reads it only in a project that you trust: start codex there once.']),
    ...(project === null
      ? []
      : [`The files in ${folderOf({ project, env: {} })} name paths of this machine: do not commit them.`]),
  ],

  async server(place, found) {
    const { env, project } = place
    // In a project, Codex would tell of the user's server, too.
    const mayHaveIt = textIn(join(folderOf(place), 'config.toml')).includes('beckon')
    const entry = mayHaveIt && found && (await askCodex(found.program, env, project))
    if (!entry) return null
    const passed = textsOf(entry.env_vars).flatMap(name =>
      env[name] === undefined ? [] : [[name, env[name]] as const],
    )
    const started = readServer(entry, {})
    return started && { ...started, env: { ...coreVariables(env), ...Object.fromEntries(passed), ...started.env } }
  },

  hooks: place => readHooks(hooksFile(place), place.env),
}

function folderOf({ env, project }: Place): string {
  if (project !== null) return join(project, '.codex')
  return env.CODEX_HOME ? resolve(env.CODEX_HOME) : join(homeFolder(env), '.codex')
}

function hooksFile(place: Place): string {
  return join(folderOf(place), 'hooks.json')
}

function server({ node, beckon, env }: Door) {
  return {
    table: ['mcp_servers', 'beckon'],
    values: {
      command: node,
      args: [beckon, 'mcp'],
      env: { ...env },
      env_vars: ['BECKON_RUN', 'BECKON_TOKEN'].filter(name => !Object.hasOwn(env, name)),
      startup_timeout_sec: 30,
      tool_timeout_sec: 600,
    },
    comment: 'Written by "beckon setup codex"; "beckon setup codex --undo" removes it.',
  }
}

function hooks({ node, beckon, env }: Door): JsonEntry[] {
  const command = hookCommand({ agent: 'codex', node, beckon, env })
  const hook = { type: 'command', command, timeout: hookTimeout }
  return [
    { path: ['hooks', 'PreToolUse'], value: { matcher: 'Bash', hooks: [hook] }, kind: 'element' },
    { path: ['hooks', 'PermissionRequest'], value: { hooks: [hook] }, kind: 'element' },
  ]
}

function textIn(file: string): string {
  try {
    return readConfig(file) ?? ''
  } catch {
    return ''
  }
}

/** What Codex itself reads, in its own words. */
function askCodex(
  program: string,
  env: NodeJS.ProcessEnv,
  cwd: string | null,
): Promise<{ [key: string]: Json } | null> {
  const options = { env, timeout: 20_000, ...(cwd === null ? {} : { cwd }) }
  return new Promise(done => {
    const child = execFile(program, ['mcp', 'get', 'beckon', '--json'], options, (_, stdout) =>
      done(transportOf(stdout)),
    )
    child.stdin?.end()
  })
}

function transportOf(stdout: string): { [key: string]: Json } | null {
  try {
    const { transport } = JSON.parse(stdout)
    return isObject(transport) ? transport : null
  } catch {
    return null
  }
}

/** The variables that Codex passes on by itself. */
function coreVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']
  return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
}
