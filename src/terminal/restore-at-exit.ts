const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const restores = new Set<() => void>()

/**
 * Runs the work when the process exits, or a signal ends it that nobody else handles. Nothing can run when it is killed
 * with SIGKILL. Returns a function that takes this back.
 */
export function restoreAtExit(restore: () => void): () => void {
  if (restores.size === 0) listen()
  restores.add(restore)
  return () => {
    restores.delete(restore)
    if (restores.size === 0) forget()
  }
}

function listen() {
  process.on('exit', restoreAll)
  // Before the listeners of others, some of which remove themselves.
  for (const name of signals) process.prependListener(name, onSignal)
}

function forget() {
  process.off('exit', restoreAll)
  for (const name of signals) process.off(name, onSignal)
}

function onSignal(name: NodeJS.Signals) {
  // Somebody else decides what the signal does.
  if (process.listenerCount(name) > 1) return
  forget()
  restoreAll()
  process.kill(process.pid, name)
}

function restoreAll() {
  for (const restore of restores) restore()
  restores.clear()
}
