import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

export interface Program {
  /** Where the name was found. This is started: some programs look beside their own path for their settings. */
  readonly found: string
  /** The same without links. */
  readonly real: string
}

/** The program that a name means in this folder with this PATH; null if there is none. */
export function findProgram(name: string, cwd: string, path: string | undefined): Program | null {
  if (name === '' || name.length > 4_096 || name.includes('\0')) return null
  // An empty entry of PATH is the current folder.
  const folders = name.includes('/') ? [''] : (path ?? '').split(delimiter)
  for (const folder of folders) {
    const found = resolve(cwd, join(folder, name))
    if (!isExecutable(found)) continue
    try {
      return { found, real: realpathSync(found) }
    } catch {}
  }
  return null
}

/** The guard reads a command line as bash does, so bash runs it where there is one. */
export function shellFor(cwd: string, env: NodeJS.ProcessEnv): string {
  return findProgram('bash', cwd, env.PATH) ? 'bash' : 'sh'
}

/** Programs of the system: an agent that could change them would not need an approval. */
export function isSystemProgram(real: string): boolean {
  return /^\/(usr|bin|sbin|lib|lib64|opt|nix|snap|System|Library|Applications)\//.test(real)
}

export function isBuiltin(name: string): boolean {
  return builtins.has(name)
}

const builtins = new Set(
  `. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval
  exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read
  readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait`.split(
    /\s+/,
  ),
)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
