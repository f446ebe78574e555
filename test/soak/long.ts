import { parseArgs } from 'node:util'
import type { Finding } from './samples.ts'
import { megabytes, soak } from './soak.ts'

// npm run test:soak [-- --minutes N]. One hour of mixed work unless told otherwise, at a fraction of one core.
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const minutes = Number(values.minutes)
if (!(minutes >= 2)) throw new Error('--minutes takes a number, at least 2')

const { findings, counts, faults, load } = await soak({ minutes, log: console.log })
console.log([...counts].map(([what, n]) => `${n} ${what}`).join(', '))
console.log(`${percent(load.all)} of one core, of which the server ${percent(load.server)}`)
console.log(row('', 'first quarter', 'last quarter', 'growth', 'allowed', ''))
for (const finding of findings) {
  const show = shower(finding)
  const { measure, first, last, growth, allowed, isFlat } = finding
  console.log(row(measure, show(first), show(last), show(growth), show(allowed), isFlat ? 'flat' : 'GROWS'))
}
for (const fault of faults) console.log(`  ${fault}`)
const isFine = faults.length === 0 && findings.every(({ isFlat }) => isFlat)
console.log(`soak: ${minutes} minutes, ${faults.length} faults, ${isFine ? 'flat' : 'NOT FLAT'}`)
process.exitCode = isFine ? 0 : 1

function shower({ measure }: Finding): (value: number) => string {
  return ['rss', 'heap', 'bytes'].includes(measure) ? megabytes : value => value.toFixed(1)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function row(name: string, ...cells: string[]): string {
  return `${name.padEnd(12)}${cells.map(cell => cell.padStart(14)).join('')}`
}
