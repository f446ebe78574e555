import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScanner } from '../src/blocks/scan/scanner.ts'
import { agentOutput, prose } from './agent-output.ts'
import type { PipeFinding, PipeTime } from './processes/pipe-reader.ts'
import { measureInProcess } from './processes/start-process.ts'
import { median, progress, type Row } from './report.ts'

const million = 1_000_000
const chunkBytes = 65_536

/** Larger than a processor's caches, so the measurement includes memory access. */
const output = agentOutput(32 * million, { asks: true })

const amounts = [
  { name: '1 MB', bytes: million, rounds: 100 },
  { name: '10 MB', bytes: 10 * million, rounds: 30 },
  { name: '100 MB', bytes: 100 * million, rounds: 10 },
  { name: '1 GB', bytes: 1_000 * million, rounds: 2 },
]

/** Measures how fast blocks are found: in memory, and in a pipe compared with reading the same pipe without scanning. */
export async function benchBlocks(): Promise<Row[]> {
  scanInMemory(200 * million)
  return [...inMemory(), ...(await throughPipes())]
}

function inMemory(): Row[] {
  const rates = amounts.map(({ name, bytes, rounds }) => {
    progress(`scanning ${name}, ${rounds} times`)
    return median(Array.from({ length: rounds }, () => scanInMemory(bytes)))
  })
  const group = 'scanner, in memory'
  const rows = amounts.map(({ name }, i): Row => {
    const value = (rates[i] ?? 0) / 1_000
    return { group, name, value, unit: 'GB/s', goal: { of: 'value', atLeast: 1 } }
  })
  return [
    ...rows,
    { group, name: 'slowest of them to fastest', value: Math.min(...rates) / Math.max(...rates), unit: '×' },
  ]
}

/** In MB per second. */
function scanInMemory(bytes: number): number {
  const scanner = createScanner()
  let found = 0
  const began = performance.now()
  for (let done = 0; done < bytes; done += chunkBytes) {
    const from = done % (output.length - chunkBytes)
    found += scanner.push(output.subarray(from, from + Math.min(chunkBytes, bytes - done))).length
  }
  const rate = bytes / 1_000 / (performance.now() - began)
  if (found < Math.floor(bytes / million)) throw new Error(`found ${found} blocks in ${bytes} bytes`)
  return rate
}

async function throughPipes(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'))
  const file = join(folder, 'output')
  writeFileSync(file, output)
  try {
    // The fastest way to fill a pipe, and a program that repeats one line.
    return [
      ...(await throughPipe('cat', join(folder, 'cat'), ['cat', ...Array(16).fill(file)])),
      ...(await throughPipe('yes | head', join(folder, 'yes'), [
        'sh',
        '-c',
        `yes "${prose}" | head -c ${512 * million}`,
      ])),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The floor is a plain program that only reads the pipe, with Node's streams. */
async function throughPipe(name: string, pipe: string, command: readonly string[]): Promise<Row[]> {
  progress(`a pipe from ${name}`)
  const found = await measureInProcess<PipeFinding>('pipe-reader', pipe, ...command)
  const group = `a pipe from ${name}`
  const goal = { of: 'ratio', atLeast: 0.85 } as const
  const floor = rateOf(found.reading)
  const leastTime = timeOf(found.reading)
  const ways = [
    ['read by a stream', found.reading],
    ['read by a stream and searched for five words', found.searching],
    ['read by a stream and scanned', found.scanning],
    ['read into the same memory', found.readingAgain],
    ['read into the same memory and scanned', found.scanningAgain],
  ] as const
  return [
    ...ways.map(([name, times]): Row => {
      const isGoal = times === found.scanning || times === found.scanningAgain
      return { group, name, value: rateOf(times), unit: 'MB/s', floor, ...(isGoal && { goal }) }
    }),
    ...ways.map(([name, times]): Row => {
      return { group: `${group}: processor time`, name, value: timeOf(times), unit: 'ns/byte', floor: leastTime }
    }),
  ]
}

function rateOf(times: readonly PipeTime[]): number {
  return median(times.map(({ rate }) => rate))
}

function timeOf(times: readonly PipeTime[]): number {
  return median(times.map(({ perByte }) => perByte))
}
