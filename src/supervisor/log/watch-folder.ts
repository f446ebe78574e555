import { type FSWatcher, watch } from 'node:fs'

// Also polls, for file systems without change events and for a folder that does not exist yet.
const pollEvery = 500

export interface FolderWatch {
  /** Resolves at the next change from now on. */
  next(): Promise<void>
  stop(): void
}

/** Reports changes in a folder, and when one of the signals aborts. A poll may report a change that is none. */
export function watchFolder(folder: string, signals: readonly (AbortSignal | undefined)[] = []): FolderWatch {
  let changed = Promise.withResolvers<void>()
  let watcher = listen()
  const check = setInterval(() => {
    watcher ??= listen()
    onChange()
  }, pollEvery)
  for (const signal of signals) signal?.addEventListener('abort', onChange)
  return { next, stop }

  function onChange() {
    changed.resolve()
  }

  function next() {
    changed = Promise.withResolvers<void>()
    return changed.promise
  }

  function stop() {
    clearInterval(check)
    for (const signal of signals) signal?.removeEventListener('abort', onChange)
    watcher?.close()
  }

  function listen(): FSWatcher | null {
    try {
      const made = watch(folder, onChange)
      return made.on('error', () => {
        made.close()
        watcher = null
      })
    } catch {
      return null
    }
  }
}
