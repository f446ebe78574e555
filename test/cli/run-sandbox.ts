import { hostname } from 'node:os'
import { endAll } from '../../src/supervisor/processes/processes.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

/** A sandbox that ends the processes of its runs even if the test fails: a holder outlives its supervisor. */
export async function createRunSandbox(): Promise<Sandbox> {
  const sandbox = await createSandbox()
  sandbox.atEnd(async () => {
    for (const { id } of await sandbox.hub.runs.list({ host: hostname() })) await endAll(id, { grace: 100 })
  })
  return sandbox
}
