import { hostname } from 'node:os'
import { endAll } from '../../src/supervisor/processes/processes.ts'
import { type Sandbox, sandbox } from './sandbox.ts'

/** Also when a test fails, no process of its runs is left behind: the holder outlives whoever started it. */
export async function runSandbox(): Promise<Sandbox> {
  const place = await sandbox()
  place.atEnd(async () => {
    for (const { id } of await place.hub.runs.list({ host: hostname() })) await endAll(id, { grace: 100 })
  })
  return place
}
