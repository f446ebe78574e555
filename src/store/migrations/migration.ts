import type { Compilable, Kysely } from 'kysely'
import type { Tables } from '../schema.ts'

/** One step forward; there is no way back. A migration that shipped never changes. */
export type Migration = (db: Kysely<Tables>, kind: 'sqlite' | 'postgres') => Compilable[]
