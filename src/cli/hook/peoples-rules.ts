import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CommandRule } from '../../protocol/rule.ts'
import { commandRules } from '../../rules/command-rules.ts'
import { whoCanWrite } from '../../system/ownership.ts'
import type { Context } from '../context.ts'
import { databaseFile } from '../with-hub.ts'
import type { HubOnDemand } from './hub-on-demand.ts'

/** The rules that people keep in the hub. Where there is no database yet, nobody has made one. */
export async function peoplesRules(context: Context, hub: HubOnDemand): Promise<readonly CommandRule[]> {
  const file = context.env.BECKON_URL ? null : await databaseFile(context)
  if (file !== null && !existsSync(file)) return []
  const peeked = file === null ? null : await peek(file, context.now())
  return peeked ?? commandRules(await (await hub.open()).hub.rules.list())
}

/** Null where the hub has to be opened for it, which also says what is wrong with a database that others can change. */
async function peek(file: string, now: number): Promise<CommandRule[] | null> {
  if (whoCanWrite(dirname(file), { group: true }) !== null || whoCanWrite(file) !== null) return null
  const { peekRules } = await import('../../store/sqlite/peek-rules.ts')
  const records = peekRules(file)
  if (!records?.length) return records && []
  const { inForce } = await import('../../hub/approval-rules.ts')
  const { toRule } = await import('../../hub/to-protocol.ts')
  return commandRules(records.filter(record => inForce(record, now)).map(toRule))
}
