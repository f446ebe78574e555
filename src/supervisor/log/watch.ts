import { type FSWatcher, watch } from 'node:fs'

// Under the watch, for file systems without change events and for a folder that is not there yet.
const slowCheck = 500

export interface Bell {
  /** Resolves at the next change from now on. */
  next(): Promise<void>
  stop(): void
}

/** Rings when something in the folder changes, whoever changes it, and when one of the signals comes. */
export function watchFolder(folder: string, signals: readonly (AbortSignal | undefined)[] = []): Bell {
  let rung = Promise.withResolvers<void>()
  let watcher = listen()
  const check = setInterval(() => {
    watcher ??= listen()
    ring()
  }, slowCheck)
  for (const signal of signals) signal?.addEventListener('abort', ring)
  return { next, stop }

  function ring() {
    rung.resolve()
  }

  function next() {
    rung = Promise.withResolvers<void>()
    return rung.promise
  }

  function stop() {
    clearInterval(check)
    for (const signal of signals) signal?.removeEventListener('abort', ring)
    watcher?.close()
  }

  function listen(): FSWatcher | null {
    try {
      const made = watch(folder, ring)
      return made.on('error', () => {
        made.close()
        watcher = null
      })
    } catch {
      return null
    }
  }
}
