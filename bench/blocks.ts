import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScanner } from '../src/blocks/scanner.ts'
import { median, progress, type Row } from './report.ts'

const million = 1_000_000
const chunkBytes = 65_536
/** Larger than the caches of a processor, so that memory is part of what is measured. */
const output = agentOutput(32 * million)

const amounts = [
  { name: '1 MB', bytes: million, rounds: 100 },
  { name: '10 MB', bytes: 10 * million, rounds: 30 },
  { name: '100 MB', bytes: 100 * million, rounds: 10 },
  { name: '1 GB', bytes: 1_000 * million, rounds: 2 },
]
const pipeRounds = 7
const timesThroughPipe = 16

/** How fast blocks are found: in memory, and beside reading the same pipe without looking. */
export async function benchBlocks(): Promise<Row[]> {
  scanInMemory(200 * million)
  return [...inMemory(), ...(await throughPipe())]
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

async function throughPipe(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'))
  const file = join(folder, 'output')
  writeFileSync(file, output)
  const reading: number[] = []
  const scanning: number[] = []
  try {
    for (let round = 0; round <= pipeRounds; round += 1) {
      progress(`pipe: round ${round} of ${pipeRounds}`)
      const pair = [await readPipe(file, false), await readPipe(file, true)] as const
      if (round === 0) continue
      reading.push(pair[0])
      scanning.push(pair[1])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const group = `a pipe of ${Math.round((timesThroughPipe * output.length) / million)} MB`
  const floor = median(reading)
  return [
    { group, name: 'read', value: floor, unit: 'MB/s' },
    {
      group,
      name: 'read and scanned',
      value: median(scanning),
      unit: 'MB/s',
      floor,
      goal: { of: 'ratio', atLeast: 0.9 },
    },
  ]
}

/** In MB per second. */
async function readPipe(file: string, scans: boolean): Promise<number> {
  const scanner = createScanner()
  const child = spawn('cat', Array(timesThroughPipe).fill(file), { stdio: ['ignore', 'pipe', 'inherit'] })
  let bytes = 0
  let found = 0
  const began = performance.now()
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (scans) found += scanner.push(chunk).length
  })
  await once(child, 'close')
  const rate = bytes / 1_000 / (performance.now() - began)
  const expected = timesThroughPipe * output.length
  if (bytes !== expected || (scans && found === 0)) throw new Error(`read ${bytes} of ${expected} bytes`)
  return rate
}

/** What an agent prints: log lines, prose, now and then a code block, and in every megabyte a question. */
function agentOutput(size: number): Buffer {
  const logs = [
    '[INFO] 12:03:44 src/core/hub.ts: 214 tests pass (12 ms)',
    '  ✓ delivers an answer once when the supervisor dies between settling and delivery',
    'I read the failing test and looked at how the store commits; the order of the two writes is wrong.',
    '│ Reading src/store/group-commit.ts (142 lines) │',
    '{"level":30,"time":1763190584661,"items":[1,2,3],"msg":"request answered"}',
    '+    const row = await db.updateTable("requests").set(outcome).where("id", "=", id).executeTakeFirst()',
    '',
    '===========================================',
  ]
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
