import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createScanner } from '../../src/blocks/scan/scanner.ts'
import { searchTerms } from '../../src/blocks/scan/tags.ts'

// Reads the output of a command in several ways in turn, so a busy machine slows all of them down. It is a separate process
// because the chunks are garbage at once, and the rest of the heap affects its collection.

/** A rate in MB per second, and the processor time per byte in nanoseconds. */
export interface PipeTime {
  rate: number
  perByte: number
}

export interface PipeFinding {
  reading: PipeTime[]
  /** Each chunk is searched for the words that a block contains, and nothing else is done with it. */
  searching: PipeTime[]
  scanning: PipeTime[]
}

const rounds = 9
const [program = '', ...args] = process.argv.slice(2)
const finding: PipeFinding = { reading: [], searching: [], scanning: [] }
await readPipe(scan())
await readPipe(search)
for (let round = 0; round < rounds; round += 1) {
  finding.reading.push(await readPipe(() => {}))
  finding.searching.push(await readPipe(search))
  finding.scanning.push(await readPipe(scan()))
}
process.send?.(finding, () => process.exit())

function search(chunk: Buffer): void {
  for (const { bytes } of searchTerms) chunk.indexOf(bytes)
}

function scan(): (chunk: Buffer) => void {
  const scanner = createScanner()
  return chunk => scanner.push(chunk)
}

async function readPipe(take: (chunk: Buffer) => void): Promise<PipeTime> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let bytes = 0
  const began = performance.now()
  const before = process.cpuUsage()
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    take(chunk)
  })
  await once(child, 'close')
  if (bytes < 1_000_000) throw new Error(`${program} printed only ${bytes} bytes`)
  const { user, system } = process.cpuUsage(before)
  return { rate: bytes / 1_000 / (performance.now() - began), perByte: ((user + system) * 1_000) / bytes }
}
