import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { UserRule } from '../guard/index.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { CommandRule } from '../protocol/rule.ts'
import { commandRules } from '../rules/command-rules.ts'
import { workspaceOf } from './workspace.ts'

const projectFile = join('.beckon', 'rules.json')

/** Every rule about commands in this directory: those of the project's files, and those that people keep in the hub. */
export async function rulesFor(hub: Pick<HubApi, 'rules'>, cwd: string): Promise<(UserRule | CommandRule)[]> {
  const ofProject = projectRules(cwd)
  return [...ofProject, ...commandRules(await hub.rules.list())]
}

const projectRule = z.strictObject({
  verdict: z.enum(['ask', 'deny'], { error: 'must be "ask" or "deny": a project can only make the guard stricter' }),
  command: z.string().trim().min(1, 'must not be empty').max(1_000),
  reason: z.string().trim().min(1).max(1_000).optional(),
})
const projectRulesSchema = z.strictObject({ rules: z.array(projectRule).max(1_000) })

/** From the directory up to the workspace's root. A file that cannot be read is an error, never a permission. */
export function projectRules(cwd: string): UserRule[] {
  const root = workspaceOf(cwd)
  const rules: UserRule[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, projectFile)
    if (existsSync(file)) rules.push(...readProjectFile(file, folder))
    if (folder === root || dirname(folder) === folder) return rules
  }
}

function readProjectFile(file: string, within: string): UserRule[] {
  const parsed = projectRulesSchema.safeParse(readJson(file))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw unreadable(file, `${issue?.path.join('.') || 'it'} ${issue?.message ?? 'is invalid'}`)
  }
  return parsed.data.rules.map(({ verdict, command, reason = null }) => ({
    scope: 'prefix',
    verdict,
    words: command.split(/\s+/),
    within,
    note: reason,
  }))
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
