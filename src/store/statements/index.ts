import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'
import { attachmentStatements } from './attachments.ts'
import { callbackStatements } from './callbacks.ts'
import { chatStatements } from './chat.ts'
import { checkpointStatements } from './checkpoints.ts'
import { draftStatements } from './drafts.ts'
import { eventStatements } from './events.ts'
import { garbageStatements } from './garbage.ts'
import { inboxStatements } from './inbox.ts'
import { keptStatements } from './kept.ts'
import { outboxStatements } from './outbox.ts'
import { requestStatements } from './requests.ts'
import { ruleStatements } from './rules.ts'
import { runLogStatements } from './run-logs.ts'
import { runStatements } from './runs.ts'
import { searchStatements } from './search.ts'
import { secretStatements } from './secrets.ts'
import { settleStatements } from './settle.ts'
import { shortIdStatements } from './short-ids.ts'
import { snoozeStatements } from './snoozes.ts'
import { statisticStatements } from './statistics.ts'
import { targetStatements } from './targets.ts'
import { tokenStatements } from './tokens.ts'

export type Statements = ReturnType<typeof statements>

/** Every fixed query of the store, for one dialect. Every change of state is guarded in its own WHERE. */
export function statements(db: Kysely<Tables>, kind: 'sqlite' | 'postgres') {
  return {
    ...requestStatements(db, kind),
    ...shortIdStatements(db),
    ...settleStatements(db),
    ...draftStatements(db),
    ...snoozeStatements(db),
    inbox: inboxStatements(db, kind),
    ...attachmentStatements(db),
    ...eventStatements(db),
    ...runStatements(db),
    ...runLogStatements(db),
    ...checkpointStatements(db),
    ...secretStatements(db, kind),
    ...keptStatements(db),
    ...tokenStatements(db),
    ...targetStatements(db),
    ...outboxStatements(db),
    ...chatStatements(db),
    ...callbackStatements(db),
    ...ruleStatements(db),
    ...garbageStatements(db),
    ...statisticStatements(db, kind),
    search: searchStatements(db, kind),
  }
}
