import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BeckonError } from '../../protocol/errors.ts'
import type { Door } from '../../setup/agents/agent.ts'
import { listRecords } from '../../setup/record.ts'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { homeOf } from '../../system/home.ts'
import { programFile } from '../../system/programs.ts'
import type { Context } from '../context.ts'

/** How an agent starts this very Beckon, and reaches the hub of this shell. */
export function describeDoor(context: Context): Door {
  const door = { node: nodePath(context.env), beckon: installedProgram(), env: hubVariables(context) }
  return { ...door, opencodePlugin: () => opencodePlugin(door) }
}

/** An agent would lose its door, and with it every command that is guarded, when npm cleans its cache. */
function installedProgram(): string {
  const file = programFile('beckon.js')
  if (!/[\\/]_npx[\\/]/.test(file)) return file
  throw new BeckonError(
    'not_allowed',
    'npx has put this Beckon into a cache that npm cleans. Install it, and set up the agent from there: npm install --global beckon',
  )
}

/** The path on PATH, if it leads to this Node: unlike the real one, it may survive an update. */
function nodePath({ PATH = '' }: NodeJS.ProcessEnv): string {
  const real = realpathSync(process.execPath)
  const paths = PATH.split(delimiter)
    .filter(folder => folder !== '' && !folder.includes('node_modules'))
    .map(folder => resolve(folder, 'node'))
  return paths.find(path => existsSync(path) && realpathSync(path) === real) ?? process.execPath
}

/** The hub in variables, without any secret: agents may drop the environment of the shell. */
function hubVariables(context: Context): Record<string, string> {
  const { env, cwd } = context
  const home = homeOf(env)
  if (env.BECKON_URL) {
    refuseAnsweringToken(env.BECKON_URL, env.BECKON_TOKEN)
    return { BECKON_HOME: home, BECKON_URL: env.BECKON_URL, BECKON_TOKEN_FILE: tokenFile(home) }
  }
  if (/^postgres(ql)?:/i.test(env.BECKON_DB ?? '')) {
    throw new BeckonError(
      'not_allowed',
      'BECKON_DB has a password with which an agent could answer itself. Run beckon serve, make a token with "beckon token create --scope ask", and set BECKON_URL and BECKON_TOKEN to connect an agent.',
    )
  }
  return env.BECKON_DB ? { BECKON_HOME: home, BECKON_DB: resolve(cwd, env.BECKON_DB) } : { BECKON_HOME: home }
}

function refuseAnsweringToken(url: string, token: string | undefined): void {
  if (token?.startsWith('beckon_ask_')) return
  const problem = token ? 'BECKON_TOKEN can do more than ask, and an agent must not have it' : `${url} needs a token`
  throw new BeckonError(
    'not_allowed',
    `${problem}. Make one with "beckon token create --scope ask", and run this command again with BECKON_TOKEN set to it.`,
  )
}

/** Beside the records of setup. The agent's configuration names the file, not the token. */
export function keepToken({ env }: Context): void {
  if (!env.BECKON_URL || !env.BECKON_TOKEN) return
  const file = tokenFile(homeOf(env))
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileAtomically(file, `${env.BECKON_TOKEN}\n`)
}

/** A token that no agent's configuration names any more would only lie around. */
export function deleteUnusedToken(home: string): void {
  const isUsed = listRecords(home).some(record => JSON.stringify(record).includes('BECKON_TOKEN_FILE'))
  if (!isUsed) rmSync(tokenFile(home), { force: true })
}

function tokenFile(home: string): string {
  return join(home, 'setup', 'token')
}

/** The file that opencode loads: it loads the plugin of this package, or stops every command if that is gone. */
function opencodePlugin({ node, beckon, env }: Omit<Door, 'opencodePlugin'>): string {
  const folder = join(dirname(dirname(beckon)), 'plugins', 'opencode')
  const options = { command: [node, beckon], env }
  return readFileSync(join(folder, 'loader.js'), 'utf8')
    .replace("'__BECKON_PLUGIN__'", () => JSON.stringify(pathToFileURL(join(folder, 'beckon.ts')).href))
    .replace("'__BECKON_OPTIONS__'", () => JSON.stringify(options))
}
