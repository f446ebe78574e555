import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
  }
}

/**
 * Starts one PostgreSQL for the whole suite, in which tests create databases with `freshDatabase`, and uses an empty home
 * folder, so that no test depends on the settings of the person who runs it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'beckon-test-home-'))
  process.env.HOME = home
  const server = await startPostgres()
  project.provide('postgres', server.url)
  return async () => {
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  }
}
