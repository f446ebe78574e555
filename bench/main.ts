import { parseArgs } from 'node:util'
import { benchAgent } from './agent.ts'
import { benchBlocks } from './blocks.ts'
import { benchCli } from './cli.ts'
import { benchGuard } from './guard.ts'
import { benchHub } from './hub.ts'
import { machine, printJson, printTable, progress, type Row, type Wanted } from './report.ts'
import { benchServer } from './server.ts'
import { benchWeb } from './web.ts'

const benches: Record<string, (wanted: Wanted) => Promise<Row[]>> = {
  hub: benchHub,
  cli: benchCli,
  blocks: benchBlocks,
  server: benchServer,
  guard: benchGuard,
  agent: benchAgent,
  web: benchWeb,
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    on: { type: 'string' },
  },
})
const bench = benches[positionals[0] ?? '']
if (!bench) {
  process.stderr.write(`usage: npm run bench -- hub [--json] [--only cycles,latency,memory,startup,idle] [--on sqlite,postgresql]
       npm run bench -- cli [--json]
       npm run bench -- blocks [--json]
       npm run bench -- server [--json] [--only hello,cycles,latency,memory,streams] [--on sqlite,postgresql]
       npm run bench -- guard [--json]
       npm run bench -- agent [--json]
       npm run bench -- web [--json]\n`)
  process.exit(1)
}

progress(machine())
const rows = await bench(values)
if (values.json) printJson(rows)
else printTable(rows)
