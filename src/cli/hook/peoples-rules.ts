import { existsSync } from 'node:fs'
import type { Rule } from '../../protocol/rule.ts'
import type { Context } from '../context.ts'
import { databaseFile } from '../with-hub.ts'
import type { HubOnDemand } from './hub-on-demand.ts'

/** The rules that people keep in the hub. Where there is no database yet, nobody has made one. */
export async function peoplesRules(context: Context, hub: HubOnDemand): Promise<readonly Rule[]> {
  const file = context.env.BECKON_URL ? null : await databaseFile(context)
  if (file !== null && !existsSync(file)) return []
  return (await hub.open()).hub.rules.list()
}
