import { constants, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../src/protocol/index.ts'

// A worker writes every result to its journal at once. The journal survives a kill, because the kernel has the data.

export type Entry =
  | { result: 'raised'; id: string; key: string | null; question: string }
  /** The n-th ask with this content in one start of a run. */
  | { result: 'step'; id: string; run: string; question: string; n: number }
  | { result: 'settled'; id: string; won: boolean; replay: boolean; mine: string | null; outcome: Outcome | null }
  | { result: 'resumed'; id: string; outcome: Outcome | null }
  | { result: 'delivered'; id: string }
  | { result: 'used'; id: string; value: string | null }
  | { result: 'running'; run: string }

export type Journal<Line = Entry> = (entry: Line) => void

export function openJournal<Line = Entry>(file: string): Journal<Line> {
  const fd = openSync(file, constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY)
  return entry => writeSync(fd, `${JSON.stringify(entry)}\n`)
}

export function readJournals<Line = Entry>(folder: string, wanted: (file: string) => boolean = () => true): Line[] {
  return (
    readdirSync(folder)
      .filter(wanted)
      .sort()
      // Whole lines: a process may be writing its next one.
      .flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1))
      .map(line => JSON.parse(line) as Line)
  )
}
