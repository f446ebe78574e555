import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identify, isSameProcess, type ProcessId } from '../system/processes/identity.ts'
import type { WindowSize } from './holder/spec.ts'
import type { Format } from './watch.ts'

/** How a run is supervised. Kept in its folder, so that another supervisor goes on in the same way. */
export interface RunSettings {
  /** Whether the agent is stopped while it waits. */
  pause: 'stop' | 'none'
  reply: 'raw' | 'json'
  /** Whether the agent gets a secret itself, or a reference for `beckon need --ref`. */
  secrets: 'value' | 'ref'
  stdin: 'open' | 'inherit' | 'none'
  format: Format
  /** The agent gets a pseudo-terminal, at first of this size. */
  pty?: WindowSize | null
  /** Only blocks that carry it count. */
  nonce: string | null
  /** The deadline of a block that names none, in milliseconds. */
  timeout: number | null
  /** A run that waits for longer is put to sleep; null for never. */
  sleepAfter: number | null
  /** What starts it again, with places for the answer; null to start it from its beginning, if it may sleep at all. */
  resume: string[] | null
}

/** Whether a run has a way back when its process is gone. */
export function comesBack({ sleepAfter, resume }: RunSettings): boolean {
  return sleepAfter !== null || resume !== null
}

/**
 * Whether answers go to the agent's stdin. Agents that print events read nothing after their prompt: their turn ends, and
 * the next one begins with the answer.
 */
export function readsAnswers({ format, resume }: RunSettings): boolean {
  return format === 'text' || resume === null
}

interface Kept {
  settings: RunSettings
  supervisor: ProcessId | null
}

/** With who looks after it now. */
export function keepSettings(folder: string, settings: RunSettings): void {
  const kept: Kept = { settings, supervisor: identify(process.pid) }
  writeWhole(join(folder, 'settings.json'), JSON.stringify(kept))
}

/** Null where there are none: the run is not of this machine, or its folder was removed. */
export function readSettings(folder: string): RunSettings | null {
  return read(folder)?.settings ?? null
}

/** Whether a run of this home is looked after by nobody. */
export function isAlone(folder: string): boolean {
  const supervisor = read(folder)?.supervisor
  return supervisor ? !isSameProcess(supervisor) : false
}

/** Whether another process, the one that looked after it last, is still there. */
export function isLookedAfter(folder: string): boolean {
  const supervisor = read(folder)?.supervisor
  return supervisor ? supervisor.pid !== process.pid && isSameProcess(supervisor) : false
}

function read(folder: string): Kept | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))
  } catch {
    return null
  }
}

/** Whole or not at all; for its user alone. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
