import type { Databases, Kind } from './databases.ts'
import { measureInProcess } from './processes/start-process.ts'
import { progress, type Row } from './report.ts'

const duration = 10_000

/** Processor time of a process that only waits. */
export async function measureIdle(kind: Kind, databases: Databases): Promise<Row[]> {
  progress(`${kind}: waiting idly for ${duration / 1_000} s`)
  const value = await measureInProcess<number>('idler', await databases.fresh(kind), String(duration))
  const goal = { of: 'value', atMost: 0.5 } as const
  return [{ group: `${kind}: waiting`, name: 'processor while idle', value, unit: '%', goal }]
}
