import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, openSync } from 'node:fs'
import { type OnReadOpts, Socket } from 'node:net'
import { createScanner } from '../../src/blocks/scan/scanner.ts'
import { searchTerms } from '../../src/blocks/scan/tags.ts'

// Reads the output of a command from a pipe in several ways in turn, so a busy machine slows all of them down. It is a
// separate process because the chunks are garbage at once, and the rest of the heap affects its collection.

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
  /** Read into memory that is used again. */
  readingAgain: PipeTime[]
  scanningAgain: PipeTime[]
}

type Take = (chunk: Buffer) => void

const rounds = 9
const chunkBytes = 65_536
const [pipe = '', program = '', ...args] = process.argv.slice(2)
const finding: PipeFinding = { reading: [], searching: [], scanning: [], readingAgain: [], scanningAgain: [] }
spawnSync('mkfifo', [pipe])
await readPipe(scan())
await readPipe(search)
for (let round = 0; round < rounds; round += 1) {
  finding.reading.push(await readPipe(() => {}))
  finding.searching.push(await readPipe(search))
  finding.scanning.push(await readPipe(scan()))
  finding.readingAgain.push(await readPipe(() => {}, Buffer.allocUnsafeSlow(chunkBytes)))
  finding.scanningAgain.push(await readPipe(scan(), Buffer.allocUnsafeSlow(chunkBytes)))
}
process.send?.(finding, () => process.exit())

function search(chunk: Buffer): void {
  for (const { bytes } of searchTerms) chunk.indexOf(bytes)
}

function scan(): Take {
  const scanner = createScanner()
  return chunk => scanner.push(chunk)
}

/** Into new memory for each chunk, as Node's streams do, or always into the same. */
async function readPipe(take: Take, memory?: Buffer): Promise<PipeTime> {
  const child = spawn('sh', ['-c', 'exec "$@" > "$0"', pipe, program, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  const fd = openSync(pipe, constants.O_RDONLY)
  let bytes = 0
  const began = performance.now()
  const before = process.cpuUsage()
  const socket = new Socket({ fd, readable: true, writable: false, ...(memory && { onread: into(memory, count) }) })
  if (memory) socket.resume()
  else socket.on('data', count)
  await once(socket, 'close')
  const { user, system } = process.cpuUsage(before)
  const rate = bytes / 1_000 / (performance.now() - began)
  await ended
  if (bytes < 1_000_000) throw new Error(`${program} printed only ${bytes} bytes`)
  return { rate, perByte: ((user + system) * 1_000) / bytes }

  function count(chunk: Buffer) {
    bytes += chunk.length
    take(chunk)
  }
}

function into(memory: Buffer, take: Take): OnReadOpts {
  return {
    buffer: memory,
    callback: length => {
      take(memory.subarray(0, length))
      return true
    },
  }
}
