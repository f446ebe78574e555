import { inject } from 'vitest'
import { openLocalHub } from '../../src/open-hub.ts'
import { createDatabase } from './postgres-server.ts'

/** A new, empty database on the suite's PostgreSQL, as a `postgres://` URL. */
export function freshDatabase(): Promise<string> {
  return createDatabase(inject('postgres'))
}

let template: Promise<string> | undefined

/** A new database with the tables of the hub: a copy takes half the time of creating them. */
export async function preparedDatabase(): Promise<string> {
  template ??= createTemplate()
  return createDatabase(inject('postgres'), await template)
}

async function createTemplate(): Promise<string> {
  const database = await freshDatabase()
  const hub = await openLocalHub({ database, sweeps: false })
  await hub.close()
  return new URL(database).pathname.slice(1)
}
