import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScanner } from '../src/blocks/scan/scanner.ts'
import type { PipeFinding } from './processes/pipe-reader.ts'
import { measureInProcess } from './processes/start-process.ts'
import { median, progress, type Row } from './report.ts'

const million = 1_000_000
const chunkBytes = 65_536
const logs = [
  '[INFO] 12:03:44 src/hub/hub.ts: 214 tests pass (12 ms)',
  '  ✓ delivers an answer once when the supervisor dies between settling and delivery',
  'I read the failing test and looked at how the store commits; the order of the two writes is wrong.',
  '│ Reading src/store/group-commit.ts (142 lines) │',
  '{"level":30,"time":1763190584661,"items":[1,2,3],"msg":"request answered"}',
  '+    const row = await db.updateTable("requests").set(outcome).where("id", "=", id).executeTakeFirst()',
  '',
  '===========================================',
]

/** Larger than a processor's caches, so the measurement includes memory access. */
const output = agentOutput(32 * million)

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
      ...(await throughPipe('yes | head', ['sh', '-c', `yes "${logs[2]}" | head -c ${512 * million}`])),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function throughPipe(name: string, command: readonly string[]): Promise<Row[]> {
  progress(`a pipe from ${name}`)
  const { reading, scanning } = await measureInProcess<PipeFinding>('pipe-reader', ...command)
  const group = `a pipe from ${name}`
  const floor = median(reading)
  const goal = { of: 'ratio', atLeast: 0.9 } as const
  return [
    { group, name: 'read', value: floor, unit: 'MB/s' },
    { group, name: 'read and scanned', value: median(scanning), unit: 'MB/s', floor, goal },
  ]
}

/** Typical agent output: log lines, prose, occasional code blocks, and one question per megabyte. */
function agentOutput(size: number): Buffer {
  const code = `\`\`\`ts\n${'  const value = await next()\n'.repeat(12)}\`\`\`\n`
  const question = '[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, "b, c"]\n[/USER_QUESTION]\n'
  const parts: string[] = []
  for (let length = 0, i = 0; length < size; i += 1) {
    const part = i % 12_000 === 1 ? question : i % 200 === 2 ? code : `${logs[(i * 7) % logs.length]}\n`
    parts.push(part)
    length += Buffer.byteLength(part)
  }
  return Buffer.from(parts.join('')).subarray(0, size)
}
