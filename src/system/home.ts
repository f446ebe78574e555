import { join, resolve } from 'node:path'
import { BeckonError } from '../protocol/errors.ts'
import { refuseIfOthersCanWrite } from './ownership.ts'
import { userHome } from './user-home.ts'

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
  if (env.XDG_DATA_HOME) return join(env.XDG_DATA_HOME, 'beckon')
  const home = userHome()
  if (home !== null) return join(home, '.local', 'share', 'beckon')
  throw new BeckonError(
    'invalid',
    'This user has no home folder. Name a folder for what Beckon stores with BECKON_HOME.',
  )
}
