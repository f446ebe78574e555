import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { userHome } from '../system/user-home.ts'
import { workspaceReader } from './workspace-reader.ts'

/** Where a command would run, and with what. */
export interface CommandContext {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** The surroundings as the guard looks at them. */
export function guardOptions({ cwd, env }: CommandContext) {
  return { cwd, env, workspace: workspaceOf(cwd), home: env.HOME || userHome() || '/' }
}

/** The same, where the guard may also look inside the scripts of the workspace that a command runs. */
export function lookingOptions(context: CommandContext) {
  const options = guardOptions(context)
  return { ...options, readFile: workspaceReader(options.workspace) }
}

const known = new Map<string, string>()

/** The folder that an agent works in: the repository around the directory, else the directory itself. */
export function workspaceOf(cwd: string): string {
  const before = known.get(cwd)
  if (before !== undefined) return before
  const workspace = repositoryAround(cwd) ?? cwd
  if (known.size < 1_000) known.set(cwd, workspace)
  return workspace
}

function repositoryAround(cwd: string): string | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return null
  }
}
