import { growthOver } from './growth.ts'

// By hand: node test/blocks/long.ts. A gigabyte through scanner and unwrapper, and what they kept of it.
growthOver(12)
const began = performance.now()
const { bytes, items } = growthOver(1_024)
const time = Math.round((performance.now() - began) / 1_000)
process.stdout.write(`1 GB: ${items} items, at most ${(bytes / 1_000_000).toFixed(1)} MB held, ${time} s\n`)
process.exitCode = bytes < 12_000_000 ? 0 : 1
