import { closeSync, constants, type FSWatcher, openSync, watch, writeSync } from 'node:fs'
import type { Watch } from '../store.ts'

/**
 * How a process signals its commits to the others: after the commit it writes a byte to a file beside the database, and
 * they watch that file. Watching the database itself would wake them too early, before they can see the commit.
 */
export class CommitSignal {
  readonly #file: string
  #fd: number | null = null

  constructor(databaseFile: string) {
    // Processes of older versions watch the file of this name.
    this.#file = `${databaseFile}-bell`
  }

  send(): void {
    try {
      this.#fd ??= openSync(this.#file, constants.O_CREAT | constants.O_WRONLY, 0o600)
      writeSync(this.#fd, '.', 0)
    } catch {
      // Without the signal the others only wait for their slow check.
      this.close()
    }
  }

  /** Calls back at every signal. Null where this file system or machine cannot watch files. */
  listen(onSignal: () => void): Watch | null {
    let watcher: FSWatcher
    try {
      closeSync(openSync(this.#file, constants.O_CREAT | constants.O_WRONLY, 0o600))
      watcher = watch(this.#file, onSignal)
    } catch {
      return null
    }
    watcher.on('error', () => watcher.close())
    return { stop: () => watcher.close(), keepProcessAlive: alive => (alive ? watcher.ref() : watcher.unref()) }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }
}
