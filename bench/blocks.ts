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
      ...(await throughPipe('cat', ['cat', ...Array(16).fill(file)])),
      ...(await throughPipe('yes | head', ['sh', '-c', `yes "${prose}" | head -c ${512 * million}`])),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function throughPipe(name: string, command: readonly string[]): Promise<Row[]> {
  progress(`a pipe from ${name}`)
  const { reading, searching, scanning } = await measureInProcess<PipeFinding>('pipe-reader', ...command)
  const group = `a pipe from ${name}`
  const goal = { of: 'ratio', atLeast: 0.85 } as const
  const floor = rateOf(reading)
  const leastTime = timeOf(reading)
  return [
    { group, name: 'read', value: floor, unit: 'MB/s' },
    { group, name: 'read and searched for five words', value: rateOf(searching), unit: 'MB/s', floor },
    { group, name: 'read and scanned', value: rateOf(scanning), unit: 'MB/s', floor, goal },
    { group, name: 'processor time: read', value: leastTime, unit: 'ns/byte' },
    { group, name: 'processor time: searched', value: timeOf(searching), unit: 'ns/byte', floor: leastTime },
    { group, name: 'processor time: scanned', value: timeOf(scanning), unit: 'ns/byte', floor: leastTime },
  ]
}

function rateOf(times: readonly PipeTime[]): number {
  return median(times.map(({ rate }) => rate))
}

function timeOf(times: readonly PipeTime[]): number {
  return median(times.map(({ perByte }) => perByte))
}
