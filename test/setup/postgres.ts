import { inject } from 'vitest'
import { createDatabase } from './postgres-server.ts'

/** A new, empty database on the suite's PostgreSQL, as a `postgres://` URL. */
export function freshDatabase(): Promise<string> {
  return createDatabase(inject('postgres'))
}
