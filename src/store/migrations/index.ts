import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'
import { createHub } from './001-create-hub.ts'
import { addDrafts } from './002-add-drafts.ts'
import { addCheckpoints } from './003-add-checkpoints.ts'
import { addTokens } from './004-add-tokens.ts'
import { addRules } from './005-add-rules.ts'
import { addKept } from './006-add-kept.ts'
import { addOutbox } from './007-add-outbox.ts'
import { addOwnerIndex } from './008-add-owner-index.ts'
import { addDevices } from './009-add-devices.ts'
import { addRunLogs } from './010-add-run-logs.ts'
import { dropSealedKeep } from './011-drop-sealed-keep.ts'
import { addUseNonce } from './012-add-use-nonce.ts'
import { bindToTokens } from './013-bind-to-tokens.ts'
import { draftPerPerson } from './014-draft-per-person.ts'
import { addRunReason } from './015-add-run-reason.ts'
import { noteDeletedEvents } from './016-note-deleted-events.ts'
import { addSession } from './017-add-session.ts'
import { addInbox } from './018-add-inbox.ts'
import { addHandles } from './019-add-handles.ts'
import { addChat } from './020-add-chat.ts'
import { addCallbacks } from './021-add-callbacks.ts'
import { addCounts } from './022-add-counts.ts'
import { addShortIds } from './023-add-short-ids.ts'
import { indexHistory } from './024-index-history.ts'
import { indexInbox } from './025-index-inbox.ts'
import { addSearch } from './026-add-search.ts'
import { latest } from './latest.ts'
import type { Migration } from './migration.ts'

// A database records only how many of these it has run. The order is therefore fixed: a new one goes to the end.
const migrations: readonly Migration[] = [
  createHub,
  addDrafts,
  addCheckpoints,
  addTokens,
  addRules,
  addKept,
  addOutbox,
  addOwnerIndex,
  addDevices,
  addRunLogs,
  dropSealedKeep,
  addUseNonce,
  bindToTokens,
  draftPerPerson,
  addRunReason,
  noteDeletedEvents,
  addSession,
  addInbox,
  addHandles,
  addChat,
  addCallbacks,
  addCounts,
  addShortIds,
  indexHistory,
  indexInbox,
  addSearch,
]
if (migrations.length !== latest)
  throw new Error(`latest.ts says ${latest}; there are ${migrations.length} migrations.`)

/** The statements that bring a schema of the given version up to ours. */
export function stepsFrom(version: number, db: Kysely<Tables>, kind: 'sqlite' | 'postgres'): string[] {
  return migrations.slice(version).flatMap(migration => migration(db, kind).map(step => step.compile().sql))
}
