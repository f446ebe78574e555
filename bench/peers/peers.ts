import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Databases, openDatabases } from '../databases.ts'
import { type Grid, type GridLine, isWanted, median, number, percentile, progress, type Wanted } from '../report.ts'
import { drawPeers } from './draw.ts'
import { type Framework, frameworks, type Store, versionOf } from './frameworks.ts'
import { installFramework } from './install.ts'
import { type Findings, runProgram } from './run-program.ts'

const rounds = 3

/** One framework on one store, with what was found out so far. A measure that failed is its error. */
export interface Peer {
  framework: Framework
  store: Store
  label: string
  programs: string | Error
  cycles: (Findings['cycles'] | Error)[]
  latency: (number[] | Error)[]
  waiting: Findings['waiting'] | Error
  restart: Findings['restart'] | Error
}

/** The same work through Beckon and through the frameworks that people would use instead. */
export async function benchPeers({ only, draw }: Wanted): Promise<Grid> {
  const databases = await openDatabases()
  try {
    const peers: Peer[] = []
    for (const framework of frameworks.filter(({ name }) => isWanted(only, name))) {
      const programs = await installFramework(framework).catch(asError)
      for (const store of framework.stores) peers.push(peerOf(framework, store, programs))
    }
    for (let round = 1; round <= rounds; round += 1) await measureSpeed(peers, databases, round)
    for (const peer of peers) await measureWaiting(peer, databases)
    if (draw) drawPeers(peers)
    return gridOf(peers)
  } finally {
    await databases.close()
  }
}

function peerOf(framework: Framework, store: Store, programs: string | Error): Peer {
  const label = `${framework.label} ${versionOf(framework)}`.trim()
  const notRun = new Error('not run')
  return { framework, store, label, programs, cycles: [], latency: [], waiting: notRun, restart: notRun }
}

/** In turn, so that a machine that becomes busy slows all of them down. */
async function measureSpeed(peers: readonly Peer[], databases: Databases, round: number): Promise<void> {
  for (const peer of peers) {
    progress(`${peer.label}, ${peer.store}: cycles and latency, round ${round} of ${rounds}`)
    peer.cycles.push(await measure(peer, 'cycles', databases))
    peer.latency.push(await measure(peer, 'latency', databases))
  }
}

async function measure<Name extends 'cycles' | 'latency'>(peer: Peer, name: Name, databases: Databases) {
  return inFolder(peer, databases, (programs, database, folder) =>
    runProgram(programs, [peer.framework.name, name, database, folder]),
  )
}

/** A second process finds what the first has left waiting. */
async function measureWaiting(peer: Peer, databases: Databases): Promise<void> {
  progress(`${peer.label}, ${peer.store}: many waiting, and a restart`)
  const found = await inFolder(peer, databases, async (programs, database, folder) => {
    const { name } = peer.framework
    const waiting = await runProgram(programs, [name, 'waiting', database, folder])
    const restart = await runProgram(programs, [name, 'restart', database, folder]).catch(asError)
    return { waiting, restart }
  })
  Object.assign(peer, found instanceof Error ? { waiting: found, restart: found } : found)
}

async function inFolder<T>(
  { programs, store }: Peer,
  databases: Databases,
  work: (programs: string, database: string, folder: string) => Promise<T>,
): Promise<T | Error> {
  if (programs instanceof Error) return programs
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-peer-'))
  try {
    const database = store === 'PostgreSQL' ? await databases.fresh(store) : join(folder, 'peer.db')
    return await work(programs, database, folder)
  } catch (error) {
    return asError(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function gridOf(peers: readonly Peer[]): Grid {
  const errors = peers.flatMap(peer =>
    [peer.programs, ...peer.cycles, ...peer.latency, peer.waiting, peer.restart]
      .filter(found => found instanceof Error)
      .map(({ message }) => `${peer.label}, ${peer.store}: ${message.split('\n')[0]}`),
  )
  const stores: Store[] = ['SQLite', 'PostgreSQL', 'its own server']
  const sorted = stores.flatMap(store => peers.filter(peer => peer.store === store))
  return {
    columns: ['cycles/s, 1', 'cycles/s, 50', 'resume p50', 'p99', 'heap/waiter', 'RSS/waiter', 'restart', 'waiting'],
    lines: sorted.map(lineOf),
    notes: [
      `Medians of ${rounds} rounds, in which all took turns. Load ${loadavg()
        .map(load => load.toFixed(1))
        .join(', ')}.`,
      ...new Set(errors),
    ],
  }
}

function lineOf(peer: Peer): GridLine {
  const { waiting, restart } = peer
  const latency = peer.latency.flatMap(times => (times instanceof Error ? [] : [times]))
  return {
    group: peer.store,
    name: peer.label,
    cells: [
      cell(cyclesOf(peer, 1), number),
      cell(cyclesOf(peer, 50), number),
      cell(medianOr(latency.map(times => percentile(times, 0.5))), ms),
      cell(medianOr(latency.map(times => percentile(times, 0.99))), ms),
      cell(waiting, ({ heap }) => kilobytes(heap)),
      cell(waiting, ({ rss }) => kilobytes(rss)),
      cell(restart, ({ time }) => ms(time)),
      cell(waiting, ({ count }) => count.toLocaleString('en')),
    ],
  }
}

export function cyclesOf({ cycles }: Peer, atATime: 1 | 50): number | Error {
  return medianOr(cycles.flatMap(found => (found instanceof Error ? [] : [found[atATime]])))
}

function medianOr(values: readonly number[]): number | Error {
  return values.length === 0 ? new Error('failed') : median(values)
}

function cell<T>(found: T | Error, write: (value: T) => string): string {
  return found instanceof Error ? 'failed' : write(found)
}

function ms(value: number): string {
  return `${number(value)} ms`
}

/** A growth within the noise of the allocator is none. */
function kilobytes(bytes: number): string {
  return bytes < 10 ? '0 kB' : `${number(bytes / 1_000)} kB`
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
