import { runLoad } from './load.ts'
import { startLoadServer } from './start.ts'

// The long load test: npm run test:load. Ten thousand waiters, a thousand streams, one minute of twenty answers a second.
const load = { waiting: 10_000, streams: 1_000, slowly: 1_200, perSecond: 20 }
const mostGrowth = 1.1

const { server, stop } = await startLoadServer()
try {
  const found = await runLoad(server, load, text => console.log(text))
  const { wrong, torn, memoryBefore, memoryAfter } = found
  const latencies = found.latencies.toSorted((a, b) => a - b)
  const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1)
  console.log(`answer to waiter: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  console.log(
    `memory: ${Math.round(memoryBefore / 1e6)} MB before, ${Math.round(memoryAfter / 1e6)} MB after the minute`,
  )
  console.log(`${wrong.length} wrong or lost answers, ${torn} torn streams`)
  if (wrong.length > 0 || torn > 0 || memoryAfter > memoryBefore * mostGrowth) {
    console.log('FAILED')
    process.exitCode = 1
  }
} finally {
  await stop()
}
