import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createScanner } from '../../src/blocks/scan/scanner.ts'

// Reads the output of a command, alternately with and without scanning it, so a busy machine slows both down.
// It is a separate process because the chunks are garbage at once, and the rest of the heap affects its collection.

/** Rates in MB per second. */
export interface PipeFinding {
  reading: number[]
  scanning: number[]
}

const rounds = 9
const [program = '', ...args] = process.argv.slice(2)
const finding: PipeFinding = { reading: [], scanning: [] }
await readPipe(true)
for (let round = 0; round < rounds; round += 1) {
  finding.reading.push(await readPipe(false))
  finding.scanning.push(await readPipe(true))
}
process.send?.(finding, () => process.exit())

async function readPipe(scans: boolean): Promise<number> {
  const scanner = createScanner()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let bytes = 0
  let found = 0
  const began = performance.now()
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (scans) found += scanner.push(chunk).length
  })
  await once(child, 'close')
  if (bytes < 1_000_000) throw new Error(`${program} printed only ${bytes} bytes, with ${found} blocks`)
  return bytes / 1_000 / (performance.now() - began)
}
