import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { readText } from '../read-file.ts'
import { nearestFile } from './builders.ts'
import { type Runner, valuesOf } from './runner.ts'

/** The repository's settings say where a push goes and which programs git starts; its hooks are such programs. */
export const runGit: Runner = ({ args, cwd, env }, bound) => {
  const before = args.slice(
    0,
    args.findIndex((arg, i) => !arg.startsWith('-') && !/^-[Cc]$/.test(args[i - 1] ?? '')),
  )
  const folder = resolve(cwd, ...valuesOf(before, '-C'))
  const given = valuesOf(args, '--git-dir').at(-1) ?? env.GIT_DIR
  const own = given === undefined ? repositoryAround(folder) : resolve(folder, given)
  if (own === null) return
  const shared = commonFolder(own, env)
  for (const path of [join(shared, 'config'), join(own, 'config.worktree')]) bound.data(path)
  const hooks = hooksPath(join(shared, 'config'), dirname(own)) ?? join(shared, 'hooks')
  for (const name of namesIn(hooks)) if (!name.endsWith('.sample')) bound.data(join(hooks, name))
}

/** `.git` of a worktree or a submodule is a file that names the folder. */
function repositoryAround(folder: string): string | null {
  const found = nearestFile(folder, ['.git'])
  if (found === null) return existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects')) ? folder : null
  if (statSync(found).isDirectory()) return found
  const [, target] = /^gitdir:\s*(.+)$/m.exec(readSmall(found)) ?? []
  return target === undefined ? null : resolve(dirname(found), target.trim())
}

function commonFolder(own: string, env: NodeJS.ProcessEnv): string {
  if (env.GIT_COMMON_DIR) return resolve(env.GIT_COMMON_DIR)
  const common = readSmall(join(own, 'commondir')).trim()
  return common === '' ? own : resolve(own, common)
}

function hooksPath(config: string, root: string): string | null {
  const [, path] = /^[ \t]*hooksPath[ \t]*=[ \t]*"?([^"\n#;]+)/im.exec(readSmall(config)) ?? []
  if (path === undefined) return null
  return isAbsolute(path.trim()) ? path.trim() : join(root, path.trim())
}

function readSmall(path: string): string {
  return readText(path) ?? ''
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}
