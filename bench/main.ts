import { parseArgs } from 'node:util'
import { measureCycles } from './cycles.ts'
import { measureIdle } from './idle.ts'
import { measureLatency } from './latency.ts'
import { measureMemory } from './memory.ts'
import { type Kind, openPlace, type Place } from './place.ts'
import { machine, printJson, printTable, progress, type Row } from './report.ts'
import { measureStartup } from './startup.ts'

type Measure = (kind: Kind, place: Place) => Promise<Row[]>

const measures: Record<string, Measure> = {
  cycles: measureCycles,
  latency: measureLatency,
  memory: measureMemory,
  startup: measureStartup,
  idle: measureIdle,
}
const kinds: Kind[] = ['SQLite', 'PostgreSQL']

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    on: { type: 'string' },
  },
})
if (positionals[0] !== 'hub') {
  const names = Object.keys(measures).join(',')
  process.stderr.write(`usage: npm run bench -- hub [--json] [--only ${names}] [--on sqlite,postgresql]\n`)
  process.exit(1)
}

progress(machine())
const place = await openPlace()
try {
  const rows: Row[] = []
  for (const kind of kinds.filter(kind => isWanted(values.on, kind))) {
    for (const [name, measure] of Object.entries(measures)) {
      if (isWanted(values.only, name)) rows.push(...(await measure(kind, place)))
    }
  }
  if (values.json) printJson(rows)
  else printTable(rows)
} finally {
  await place.close()
}

function isWanted(list: string | undefined, name: string): boolean {
  return list === undefined || list.toLowerCase().split(',').includes(name.toLowerCase())
}
