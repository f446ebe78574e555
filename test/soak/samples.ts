import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findProcesses } from '../setup/marked-processes.ts'

/** What must not grow. */
export interface Sample {
  /** Seconds since the start. */
  at: number
  rss: number
  heap: number
  descriptors: number
  threads: number
  files: number
  bytes: number
  processes: number
}

type Measure = Exclude<keyof Sample, 'at'>

interface Tolerance {
  /** Growth up to this share of the first quarter, or up to this much, counts as noise. */
  share: number
  least: number
}

const tolerances: Record<Measure, Tolerance> = {
  rss: { share: 0.1, least: 15e6 },
  heap: { share: 0.1, least: 4e6 },
  descriptors: { share: 0.1, least: 6 },
  threads: { share: 0, least: 2 },
  files: { share: 0.15, least: 40 },
  bytes: { share: 0.15, least: 4e6 },
  processes: { share: 0.1, least: 3 },
}

export interface Finding {
  measure: Measure
  first: number
  last: number
  /** What the slope of all samples adds up to over the time that was measured. */
  growth: number
  allowed: number
  isFlat: boolean
}

export function readSample(at: number, server: number, root: string, memory: { rss: number; heap: number }): Sample {
  const stored = ['home', 'run'].map(name => measureFolder(join(root, name)))
  return {
    at,
    ...memory,
    descriptors: readdirSync(`/proc/${server}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)$/m.exec(readFileSync(`/proc/${server}/status`, 'utf8'))?.[1]),
    files: stored.reduce((sum, { files }) => sum + files, 0),
    bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
    processes: findProcesses(root).length,
  }
}

/** Compares the quarters after the warm-up, and tells by the slope whether each measure is flat. */
export function judge(samples: readonly Sample[], warmUp: number): Finding[] {
  const steady = samples.filter(({ at }) => at >= warmUp)
  const quarter = Math.max(1, Math.floor(steady.length / 4))
  return (Object.keys(tolerances) as Measure[]).map(measure => {
    const first = median(steady.slice(0, quarter).map(sample => sample[measure]))
    const last = median(steady.slice(-quarter).map(sample => sample[measure]))
    const growth = slope(steady, measure) * ((steady.at(-1)?.at ?? 0) - (steady[0]?.at ?? 0))
    const { share, least } = tolerances[measure]
    const allowed = Math.max(first * share, least)
    return { measure, first, last, growth, allowed, isFlat: steady.length >= 4 && growth <= allowed }
  })
}

function measureFolder(folder: string): { files: number; bytes: number } {
  let files = 0
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue
    // A file may vanish in between.
    const size = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size
    if (size === undefined) continue
    files += 1
    bytes += size
  }
  return { files, bytes }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** Per second, by least squares. */
function slope(samples: readonly Sample[], measure: Measure): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanAt, meanValue] = [mean(samples.map(({ at }) => at)), mean(samples.map(sample => sample[measure]))]
  const above = samples.reduce((sum, sample) => sum + (sample.at - meanAt) * (sample[measure] - meanValue), 0)
  const below = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0)
  return below === 0 ? 0 : above / below
}
