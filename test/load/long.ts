import { flood, mostGrowth as mostGrowthInFlood } from './flood.ts'
import { runLoad } from './load.ts'
import { startLoadServer } from './start.ts'

// The long load test: npm run test:load. Ten thousand waiters, a thousand streams, one minute of twenty answers a second;
// then, on a fresh server, a flood of twenty thousand asks by one token.
const load = { waiting: 10_000, streams: 1_000, slowly: 1_200, perSecond: 20 }
const mostGrowth = 1.1

await wait()
await drown()

async function wait() {
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
}

async function drown() {
  const { server, stop } = await startLoadServer()
  try {
    const { dangerous, urgent, waiting, found, memoryBefore, memoryAfter, took } = await flood(server, 20_000, text =>
      console.log(text),
    )
    const isFirst = [urgent, waiting, found].every(({ rows }) => rows[0]?.id === dangerous)
    console.log(`the inbox: ${took.toFixed(1)} ms, the dangerous request ${isFirst ? 'is first' : 'IS NOT FIRST'}`)
    console.log(
      `memory: ${Math.round(memoryBefore / 1e6)} MB with 5,000, ${Math.round(memoryAfter / 1e6)} MB with 20,000`,
    )
    if (!isFirst || memoryAfter - memoryBefore > mostGrowthInFlood) {
      console.log('FAILED')
      process.exitCode = 1
    }
  } finally {
    await stop()
  }
}
