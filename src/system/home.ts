import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder with the database, the key and the runs. */
export function homeOf(env: NodeJS.ProcessEnv): string {
  if (env.BECKON_HOME) return resolve(env.BECKON_HOME)
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'beckon')
}
