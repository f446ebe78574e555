import { constants, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../src/protocol/index.ts'

// What an actor was told, written down right after it was told. A killed actor's journal stays: the kernel has it.

export type Entry =
  | { told: 'raised'; id: string; key: string | null; question: string }
  /** The n-th ask of one content in one start of a run. */
  | { told: 'step'; id: string; run: string; question: string; n: number }
  | { told: 'settled'; id: string; won: boolean; replay: boolean; mine: string | null; outcome: Outcome | null }
  | { told: 'resumed'; id: string; outcome: Outcome | null }
  | { told: 'delivered'; id: string }
  | { told: 'used'; id: string; value: string | null }
  | { told: 'running'; run: string }

export type Journal = (entry: Entry) => void

export function openJournal(file: string): Journal {
  const fd = openSync(file, constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY)
  return entry => writeSync(fd, `${JSON.stringify(entry)}\n`)
}

export function readJournals(folder: string, wanted: (file: string) => boolean = () => true): Entry[] {
  return readdirSync(folder)
    .filter(wanted)
    .sort()
    .flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Entry)
}
