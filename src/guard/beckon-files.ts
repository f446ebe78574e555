import type { ShellContext } from './interpret/analysis.ts'
import { type Argument, unknownText } from './interpret/arguments.ts'
import { absolute } from './paths.ts'
import type { ProgramCall } from './program-call.ts'

/** What an argument names of Beckon's own: `home` is the whole folder, `work` what agents read and write there. */
export type BeckonFile = 'key' | 'database' | 'home' | 'work'

/** The file of Beckon's that an argument names, also within it: `if=FILE`, `@FILE`, `FILE:/data`, `file:FILE?mode=ro`. */
export function beckonFile(
  arg: Pick<Argument, 'value' | 'glob'>,
  { context, cwd: here }: ProgramCall,
  cwd: string | null = here,
): BeckonFile | null {
  if (arg.glob && globInData.test(arg.value)) return 'home'
  if (!mayConcernBeckon(arg.value, cwd, context)) return null
  for (const part of [arg.value, ...arg.value.split(/[=@:,]/).slice(0, mostParts)]) {
    const found = part === '' ? null : fileAt(part.replace(/\?.*$/s, ''), cwd, context)
    if (found) return found
  }
  return null
}

const mostParts = 8
/** `~/.local/share/b*`, `~/.local/*`: Beckon's folder is among them. */
const globInData = /\/\.local\/(share\/)?[^/]*[*?[]/

/** Nearly no argument does, and this is quick to see. */
function mayConcernBeckon(value: string, cwd: string | null, { env }: ShellContext): boolean {
  if (value === '' || value.length > mostCharacters) return false
  return (
    /beckon/i.test(value) || (cwd !== null && /\/beckon(\/|$)/.test(cwd)) || Boolean(env.BECKON_HOME ?? env.BECKON_DB)
  )
}

/** No system allows longer paths. */
const mostCharacters = 4_096

function fileAt(value: string, cwd: string | null, context: ShellContext): BeckonFile | null {
  const path = absolute(value, cwd) ?? value
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (databaseName.test(name) || isNamedDatabase(path, context)) return 'database'
  const rest = insideHome(path, context)
  if (rest === null) return null
  if (/^key(\.|$)/.test(rest)) return 'key'
  // What is none of the folders that agents work with may be the key: `*`, `k?y`.
  return /^(runs|files|agent|bin|recovery\.lock)(\/|$)/.test(rest) ? 'work' : 'home'
}

const databaseName = /^beckon\.db(-wal|-shm|-journal)?$/

function isNamedDatabase(path: string, { env }: ShellContext): boolean {
  const named = env.BECKON_DB ?? ''
  return named.startsWith('/') && path.replace(/-(wal|shm|journal)$/, '') === named
}

/** The rest of a path in Beckon's folder, wherever the environment or the defaults put it; null outside of it. */
function insideHome(path: string, { home, env }: ShellContext): string | null {
  const data = env.XDG_DATA_HOME || `${home}/.local/share`
  for (const folder of [env.BECKON_HOME, `${data}/beckon`]) {
    if (!folder?.startsWith('/')) continue
    if (path === folder) return ''
    if (path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)) return path.slice(folder.length + 1)
  }
  // Of another user, or of one who is not known here.
  return /(?:^|\/)\.local\/share\/beckon(?:\/(.*))?$/s.exec(path)?.[1] ?? (isDefaultHome(path) ? '' : null)
}

function isDefaultHome(path: string): boolean {
  return path.endsWith('/.local/share/beckon')
}

/** Where Beckon keeps its files, for `$BECKON_HOME` in a command. */
export function beckonHome({ home, env }: ShellContext): string {
  if (env.BECKON_HOME && !env.BECKON_HOME.includes(unknownText)) return env.BECKON_HOME
  return `${env.XDG_DATA_HOME || `${home}/.local/share`}/beckon`
}
