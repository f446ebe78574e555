export interface Interruption {
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP. */
  signal: AbortSignal
  /** Aborts when a person insists, if the signals are kept. */
  again: AbortSignal
  /** Gives the signals back to the system. */
  release(): void
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal asks the command to leave in good order; a second one ends the process as usual. With `kept`, it never
 * does: a terminal that is closed sends more than one, and there is something that must not be left behind.
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
