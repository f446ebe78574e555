import { measureCycles } from './cycles.ts'
import { type Databases, type Kind, openDatabases } from './databases.ts'
import { measureIdle } from './idle.ts'
import { measureLatency } from './latency.ts'
import { measureMemory } from './memory.ts'
import { isWanted, type Row, type Wanted } from './report.ts'
import { measureStartup } from './startup.ts'

const measures: Record<string, (kind: Kind, databases: Databases) => Promise<Row[]>> = {
  cycles: measureCycles,
  latency: measureLatency,
  memory: measureMemory,
  startup: measureStartup,
  idle: measureIdle,
}
const kinds: Kind[] = ['SQLite', 'PostgreSQL']

/** Measures the hub on both stores, compared with the bare drivers. */
export async function benchHub({ only, on }: Wanted): Promise<Row[]> {
  const databases = await openDatabases()
  try {
    const rows: Row[] = []
    for (const kind of kinds.filter(kind => isWanted(on, kind))) {
      for (const [name, measure] of Object.entries(measures)) {
        if (isWanted(only, name)) rows.push(...(await measure(kind, databases)))
      }
    }
    return rows
  } finally {
    await databases.close()
  }
}
