import { parseArgs } from 'node:util'
import { benchAgent } from './agent.ts'
import { benchBlocks } from './blocks.ts'
import { benchCli } from './cli.ts'
import { benchGrowth } from './growth/growth.ts'
import { benchGuard } from './guard.ts'
import { benchHub } from './hub.ts'
import { benchNodes } from './nodes/nodes.ts'
import { benchPeers } from './peers/peers.ts'
import { type Grid, machine, printGrid, printJson, printTable, progress, type Row, type Wanted } from './report.ts'
import { benchRun } from './run.ts'
import { benchServer } from './server.ts'
import { benchTerminal } from './terminal.ts'
import { benchWeb } from './web.ts'

const benches: Record<string, (wanted: Wanted) => Promise<Row[] | Grid>> = {
  hub: benchHub,
  cli: benchCli,
  blocks: benchBlocks,
  run: benchRun,
  server: benchServer,
  guard: benchGuard,
  agent: benchAgent,
  terminal: benchTerminal,
  web: benchWeb,
  peers: benchPeers,
  growth: benchGrowth,
  nodes: benchNodes,
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    on: { type: 'string' },
    sizes: { type: 'string' },
    open: { type: 'string' },
    bytes: { type: 'string' },
    draw: { type: 'boolean', default: false },
  },
})
const bench = benches[positionals[0] ?? '']
if (!bench) {
  process.stderr.write(`usage: npm run bench -- hub [--json] [--only cycles,latency,memory,startup,idle] [--on sqlite,postgresql]
       npm run bench -- cli [--json]
       npm run bench -- blocks [--json]
       npm run bench -- run [--json] [--bytes 1000000000]
       npm run bench -- server [--json] [--only hello,cycles,latency,memory,streams] [--on sqlite,postgresql]
       npm run bench -- guard [--json]
       npm run bench -- agent [--json]
       npm run bench -- terminal [--json]
       npm run bench -- web [--json]
       npm run bench -- peers [--json] [--draw] [--only beckon,langgraph,openai,mastra,dbos,restate]
       npm run bench -- growth [--json] [--on sqlite,postgresql] [--sizes 0,10000,100000] [--open 100000]
       npm run bench -- nodes [--json] [--sizes 1,2,4]\n`)
  process.exit(1)
}

progress(machine())
const rows = await bench(values)
if (values.json) printJson(rows)
else if ('columns' in rows) printGrid(rows)
else printTable(rows)
