import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { refuseIfOthersCanWrite } from './ownership.ts'

/** The folder with the database, the key and the runs. Refused where another user could change it. */
export function homeOf(env: NodeJS.ProcessEnv): string {
  const home = homePath(env)
  refuseIfOthersCanWrite(home, 'BECKON_HOME')
  return home
}

/** What bash reads first inside a run; see `agentEnvironment`. */
export function bashStartFile(home: string): string {
  return join(home, 'bash-env.sh')
}

/** Its path alone, to look at it. */
export function homePath(env: NodeJS.ProcessEnv): string {
  if (env.BECKON_HOME) return resolve(env.BECKON_HOME)
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'beckon')
}
