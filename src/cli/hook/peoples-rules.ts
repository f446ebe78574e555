import { existsSync } from 'node:fs'
import { projectRules, rulesFor } from '../../approval/project-rules.ts'
import type { UserRule } from '../../guard/index.ts'
import type { Rule } from '../../protocol/rule.ts'
import type { Context } from '../context.ts'
import { databaseFile } from '../with-hub.ts'
import type { HubOnDemand } from './hub-on-demand.ts'

/** The rules about commands in this directory. Where there is no database yet, nobody has made one. */
export async function peoplesRules(
  context: Context,
  hub: HubOnDemand,
  cwd: string,
): Promise<readonly (UserRule | Rule)[]> {
  const file = context.env.BECKON_URL ? null : await databaseFile(context)
  if (file !== null && !existsSync(file)) return projectRules(cwd)
  return rulesFor((await hub.open()).hub, cwd)
}
