import { closeSync, constants, type FSWatcher, openSync, watch, writeSync } from 'node:fs'
import type { Watch } from '../store.ts'

/**
 * How one process tells the others that it has committed: it writes a byte to a file beside the database, after
 * the commit, and they watch that file. Watching the database itself would wake them too early: its write comes
 * before the commit can be seen.
 */
export class Doorbell {
  readonly #file: string
  #fd: number | null = null

  constructor(databaseFile: string) {
    this.#file = `${databaseFile}-bell`
  }

  ring(): void {
    try {
      this.#fd ??= openSync(this.#file, constants.O_CREAT | constants.O_WRONLY, 0o600)
      writeSync(this.#fd, '.', 0)
    } catch {
      // A bell that cannot ring only makes the others wait for their slow check.
      this.close()
    }
  }

  /** Calls back at every ring. Null when this file system or machine cannot watch files. */
  listen(onRing: () => void): Watch | null {
    let watcher: FSWatcher
    try {
      closeSync(openSync(this.#file, constants.O_CREAT | constants.O_WRONLY, 0o600))
      watcher = watch(this.#file, onRing)
    } catch {
      return null
    }
    watcher.on('error', () => watcher.close())
    return { stop: () => watcher.close(), hold: alive => (alive ? watcher.ref() : watcher.unref()) }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }
}
