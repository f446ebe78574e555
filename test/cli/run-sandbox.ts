import { hostname } from 'node:os'
import { endAll } from '../../src/supervisor/processes/processes.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

/** Also when a test fails, no process of its runs is left behind: the holder outlives whoever started it. */
export async function createRunSandbox(): Promise<Sandbox> {
  const sandbox = await createSandbox()
  sandbox.atEnd(async () => {
    for (const { id } of await sandbox.hub.runs.list({ host: hostname() })) await endAll(id, { grace: 100 })
  })
  return sandbox
}
