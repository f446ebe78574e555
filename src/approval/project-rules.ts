import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type * as z from 'zod'
import type { UserRule } from '../guard/index.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { CommandRule } from '../protocol/rule.ts'
import { commandRules } from '../rules/command-rules.ts'
import { projectFileSchema } from './project-file-schema.ts'
import { workspaceOf } from './workspace.ts'

const projectFile = join('.beckon', 'rules.json')

/** Every rule about commands in this directory: those of the project's files, and those that people keep in the hub. */
export async function rulesFor(hub: Pick<HubApi, 'rules'>, cwd: string): Promise<(UserRule | CommandRule)[]> {
  const ofProject = projectRules(cwd)
  return [...ofProject, ...commandRules(await hub.rules.list())]
}

type ProjectFile = z.output<typeof projectFileSchema>

/** From the directory up to the workspace's root. A file that cannot be read is an error, never a permission. */
export function projectRules(cwd: string): UserRule[] {
  return projectFiles(cwd).flatMap(({ file, folder: within }) =>
    readProjectFile(file).rules.map(({ verdict, command, reason = null }) => ({
      scope: 'prefix' as const,
      verdict,
      words: command.split(/\s+/),
      within,
      note: reason,
    })),
  )
}

/** Whether a file of the project demands a strict guard. One that cannot be read may demand it. */
export function isStrictProject(cwd: string): boolean {
  try {
    return projectFiles(cwd).some(({ file }) => readProjectFile(file).strict === true)
  } catch {
    return true
  }
}

function projectFiles(cwd: string): { file: string; folder: string }[] {
  const root = workspaceOf(cwd)
  const files: { file: string; folder: string }[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, projectFile)
    if (existsSync(file)) files.push({ file, folder })
    if (folder === root || dirname(folder) === folder) return files
  }
}

function readProjectFile(file: string): ProjectFile {
  const parsed = projectFileSchema.safeParse(readJson(file))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw unreadable(file, `${issue?.path.join('.') || 'it'} ${issue?.message ?? 'is invalid'}`)
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw unreadable(file, error instanceof SyntaxError ? 'it is not valid JSON' : 'it cannot be read')
  }
}

function unreadable(file: string, why: string): BeckonError {
  return new BeckonError('invalid', `${file}: ${why}. Beckon runs nothing here until the project's rules are valid.`)
}
