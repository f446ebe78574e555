import type { Store } from './store.ts'

export interface StoreOptions {
  /** A file path, or a postgres:// URL. */
  database: string
  /** Milliseconds to add to the database's clock. */
  shift?: () => number
  /** The log of an SQLite database that is gone was renamed to this, so that the next database does not get it. */
  onLogSetAside?: (log: string) => void
}

export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:\/\//.test(database)
}

/** Loads only the driver that is used: a command pays for every import. */
export async function openStore({ database, onLogSetAside, ...options }: StoreOptions): Promise<Store> {
  if (isPostgres(database)) {
    const { openPostgres } = await import('./postgres/store.ts')
    return openPostgres({ url: database, ...options })
  }
  const { openSqlite } = await import('./sqlite/store.ts')
  return openSqlite({ file: database, ...(onLogSetAside ? { onLogSetAside } : {}), ...options })
}
