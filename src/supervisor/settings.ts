import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../system/atomic-file.ts'
import { readOrNull } from '../system/machine-fault.ts'
import { identify, isSameProcess, type ProcessId } from '../system/processes/identity.ts'
import type { Format } from './block-watcher.ts'
import type { WindowSize } from './holder/spec.ts'

/** How a run is supervised. Saved in its folder, so that another supervisor continues in the same way. */
export interface RunSettings {
  /** Whether the agent is stopped while it waits. */
  pause: 'stop' | 'none'
  reply: 'raw' | 'json'
  /** Whether the agent gets a secret itself, or a reference for `beckon need --ref`. */
  secrets: 'value' | 'ref'
  stdin: 'open' | 'inherit' | 'none'
  format: Format
  /** The first size of the agent's pseudo-terminal; none where the agent gets pipes. */
  pty?: WindowSize | null
  /** Only blocks with this nonce count. */
  nonce: string | null
  /** The deadline of a block that names none, in milliseconds. */
  timeout: number | null
  /** A run that waits longer than this is put to sleep; null for never. */
  sleepAfter: number | null
  /** The template of the command that resumes it; null to start it from its beginning, if it may sleep at all. */
  resume: string[] | null
}

/** Whether a run can start again when its process is gone. */
export function canRestart({ sleepAfter, resume }: RunSettings): boolean {
  return sleepAfter !== null || resume !== null
}

/**
 * Whether answers go to the agent's stdin. Agents that print events read nothing after their prompt: their turn ends, and
 * the next one begins with the answer.
 */
export function readsAnswersFromStdin({ format, resume }: RunSettings): boolean {
  return format === 'text' || resume === null
}

interface SavedSettings {
  settings: RunSettings
  supervisor: ProcessId | null
}

/** Saves the settings of a run, with this process as its supervisor. */
export function saveSettings(folder: string, settings: RunSettings): void {
  const saved: SavedSettings = { settings, supervisor: identify(process.pid) }
  writeFileAtomically(join(folder, 'settings.json'), JSON.stringify(saved))
}

/** Null where there are none: the run belongs to another machine, or its folder was removed. */
export function readSettings(folder: string): RunSettings | null {
  return read(folder)?.settings ?? null
}

/** Whether the supervisor of a run is gone. */
export function isAbandoned(folder: string): boolean {
  const supervisor = read(folder)?.supervisor
  return supervisor ? !isSameProcess(supervisor) : false
}

/** Whether another process supervises the run. */
export function isSupervised(folder: string): boolean {
  const supervisor = read(folder)?.supervisor
  return supervisor ? supervisor.pid !== process.pid && isSameProcess(supervisor) : false
}

function read(folder: string): SavedSettings | null {
  return readOrNull(() => JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')))
}
