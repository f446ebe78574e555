import type { Kysely } from 'kysely'
import { BeckonError } from '../../protocol/index.ts'
import type { Tables } from '../schema.ts'
import { createHub } from './001-create-hub.ts'
import { addDrafts } from './002-add-drafts.ts'
import { addCheckpoints } from './003-add-checkpoints.ts'
import { addTokens } from './004-add-tokens.ts'
import { addOutbox } from './005-add-outbox.ts'
import { addRules } from './006-add-rules.ts'
import { addKept } from './008-add-kept.ts'
import { addOwnerIndex } from './009-add-owner-index.ts'
import { addRunLogs } from './010-add-run-logs.ts'
import { addDevices } from './011-add-devices.ts'
import type { Migration } from './migration.ts'

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
]
export const latest = migrations.length

/** The statements that bring a schema of the given version up to ours. */
export function stepsFrom(version: number, db: Kysely<Tables>, kind: 'sqlite' | 'postgres'): string[] {
  return migrations.slice(version).flatMap(migration => migration(db, kind).map(step => step.compile().sql))
}

export function refuseNewer(version: number): void {
  if (version <= latest) return
  throw new BeckonError(
    'newer_schema',
    `This database was written by a newer Beckon (schema ${version}; this one knows ${latest}). Update Beckon and try again; nothing was changed.`,
  )
}
