import type { Store } from './store.ts'

export interface StoreOptions {
  /** A file path, a postgres:// URL, or `:memory:`. */
  database: string
  /** Milliseconds to add to the database's clock. */
  shift?: () => number
  /** The clock of a database in memory. */
  clock?: () => number
  /** The log of an SQLite database that is gone was renamed to this, so that the next database does not get it. */
  onLogSetAside?: (log: string) => void
}

export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:\/\//.test(database)
}

/** A database of one process, gone when it is closed. */
export function isInMemory(database: string): boolean {
  return database === ':memory:'
}

/** Loads only the driver that is used: a command pays for every import. */
export async function openStore({ database, clock, onLogSetAside, ...options }: StoreOptions): Promise<Store> {
  if (isPostgres(database)) {
    const { openPostgres } = await import('./postgres/store.ts')
    return openPostgres({ url: database, ...options })
  }
  if (isInMemory(database)) {
    const { openMemory } = await import('./sqlite/memory.ts')
    const { shift = () => 0 } = options
    return openMemory({ clock: clock ?? (() => Date.now() + shift()) })
  }
  const { openSqlite } = await import('./sqlite/store.ts')
  return openSqlite({ file: database, ...(onLogSetAside ? { onLogSetAside } : {}), ...options })
}
