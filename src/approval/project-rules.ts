import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { Context } from '../cli/context.ts'
import { withHub } from '../cli/with-hub.ts'
import type { OwnRule } from '../guard/index.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { Rule } from '../protocol/rule.ts'
import { workspaceOf } from './workspace.ts'

const projectFile = join('.beckon', 'rules.json')

/** Everything that people said about commands here: what is kept in the hub, and the project's file. */
export async function rulesFor(context: Context, cwd: string): Promise<(OwnRule | Rule)[]> {
  const ofProject = projectRules(cwd)
  return [...ofProject, ...(await withHub(context, hub => hub.rules.list(), { sweeps: false, wakes: false }))]
}

const projectRule = z.strictObject({
  verdict: z.enum(['ask', 'deny'], { error: 'must be "ask" or "deny": a project may tighten and never loosen' }),
  command: z.string().trim().min(1, 'must not be empty').max(1_000),
  reason: z.string().trim().min(1).max(1_000).optional(),
})
const projectRulesSchema = z.strictObject({ rules: z.array(projectRule).max(1_000) })

/** From the directory up to the workspace's root, all of them. One that cannot be read is no permission: it is told. */
export function projectRules(cwd: string): OwnRule[] {
  const root = workspaceOf(cwd)
  const rules: OwnRule[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, projectFile)
    if (existsSync(file)) rules.push(...readProjectFile(file, folder))
    if (folder === root || dirname(folder) === folder) return rules
  }
}

function readProjectFile(file: string, within: string): OwnRule[] {
  const parsed = projectRulesSchema.safeParse(readJson(file))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw unreadable(file, `${issue?.path.join('.') || 'it'} ${issue?.message ?? 'is wrong'}`)
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
    throw unreadable(file, error instanceof SyntaxError ? 'it is no JSON' : 'it cannot be read')
  }
}

function unreadable(file: string, why: string): BeckonError {
  return new BeckonError(
    'invalid',
    `${file}: ${why}. Nothing is run as long as the project's rules are not understood.`,
  )
}
