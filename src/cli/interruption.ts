export interface Interruption {
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP. */
  signal: AbortSignal
  /** Aborts at a second SIGINT or SIGTERM, if the signals are kept. */
  again: AbortSignal
  /** Restores the default action of the signals. */
  release(): void
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal asks the command to end cleanly; a second one ends the process. With `kept`, no signal ends the process:
 * a closing terminal sends several, and the command must clean up after all of them.
 */
export function interruption({ kept = false } = {}): Interruption {
  const controller = new AbortController()
  const again = new AbortController()
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted && name !== 'SIGHUP') again.abort()
    if (!kept) release()
    controller.abort(new Interrupted())
  }
  for (const name of names) process.on(name, onSignal)
  return { signal: controller.signal, again: again.signal, release }

  function release() {
    for (const name of names) process.off(name, onSignal)
  }
}

class Interrupted extends Error {
  override readonly name = 'AbortError'
}
