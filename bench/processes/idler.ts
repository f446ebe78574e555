import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from '../../src/open-hub.ts'
import { question } from './question.ts'

// Measures which percentage of one processor an idle wait uses.
const [database = '', duration = '0'] = process.argv.slice(2)
const hub = await openHub({ database })
const { id } = await hub.raise(question('idle'))
hub.wait(id).catch(() => {})
await sleep(2_000)

const began = performance.now()
const before = process.cpuUsage()
await sleep(Number(duration))
const { user, system } = process.cpuUsage(before)
const elapsed = (performance.now() - began) * 1_000
process.send?.(((user + system) / elapsed) * 100, () => process.exit())
