import { type Databases, type Kind, manyPending } from './databases.ts'
import { measureInProcess } from './processes/start-process.ts'
import { progress, type Row } from './report.ts'

const counts = [1_000, 10_000, manyPending]

/** Heap per waiting request in one process. */
export async function measureMemory(kind: Kind, databases: Databases): Promise<Row[]> {
  const rows: Row[] = []
  const database = await databases.full(kind)
  for (const count of counts) {
    progress(`${kind}: ${count} waiting in one process`)
    const bytes = await measureInProcess<number>('waiters', database, String(count))
    const name = `${count.toLocaleString('en')} waiting`
    const goal = count === manyPending ? { goal: { of: 'value', atMost: 1.5 } as const } : {}
    rows.push({ group: `${kind}: heap per waiting request`, name, value: bytes / 1_000, unit: 'kB', ...goal })
  }
  return rows
}
