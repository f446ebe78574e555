import { openHub } from '../../src/open-hub.ts'
import type { Request } from '../../src/protocol/index.ts'

// Measures the heap per waiting request: `count` waits in this process, and nothing else changes.
const [database = '', count = '0'] = process.argv.slice(2)
const hub = await openHub({ database, sweeps: false })
const ids = await pendingIds(Number(count))
await hub.wait(ids[0] ?? '', { for: 1 })

const before = heapUsed()
const waiting: Promise<Request>[] = ids.map(id => hub.wait(id))
// A wait that started later has read the store, so all earlier ones have, too.
await hub.wait(ids.at(-1) ?? '', { for: 100 })
const after = heapUsed()

// Check that they do wait: cancelling a request resumes its waiter.
await hub.cancel(ids[0] ?? '')
await waiting[0]
process.send?.((after - before) / waiting.length, () => process.exit())

async function pendingIds(wanted: number): Promise<string[]> {
  const found: string[] = []
  for (let after: string | null = null; found.length < wanted; ) {
    const page = await hub.list({ limit: Math.min(1_000, wanted - found.length), ...(after === null ? {} : { after }) })
    found.push(...page.requests.map(({ id }) => id))
    after = page.next
    if (after === null) break
  }
  return found
}

function heapUsed(): number {
  for (let i = 0; i < 3; i += 1) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
