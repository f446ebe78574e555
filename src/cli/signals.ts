export interface Interruption {
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP. */
  signal: AbortSignal
  /** Gives the signals back to the system. */
  release(): void
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal asks the command to leave in good order; a second one ends the process as usual. */
export function interruption(): Interruption {
  const controller = new AbortController()
  const onSignal = () => {
    release()
    controller.abort(new Interrupted())
  }
  for (const name of names) process.once(name, onSignal)
  return { signal: controller.signal, release }

  function release() {
    for (const name of names) process.off(name, onSignal)
  }
}

class Interrupted extends Error {
  override readonly name = 'AbortError'
}
