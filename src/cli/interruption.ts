export interface Interruption {
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP. */
  signal: AbortSignal
  /** Aborts at a second SIGINT or SIGTERM, if the signals are kept. */
  again: AbortSignal
  /** The first signal; null while there was none. */
  by(): NodeJS.Signals | null
  /** As if this signal had come. */
  interrupt(name: NodeJS.Signals): void
  /** Restores the default action of the signals. */
  release(): void
}

const all: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * The first signal asks the command to end cleanly; a second one ends the process. With `kept`, no signal ends the process:
 * a closing terminal sends several, and the command must clean up after all of them.
 */
export function interruption({ kept = false, names = all } = {}): Interruption {
  const controller = new AbortController()
  const again = new AbortController()
  let first: NodeJS.Signals | null = null
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted && name !== 'SIGHUP') again.abort()
    first ??= name
    if (!kept) release()
    controller.abort(new Interrupted())
  }
  for (const name of names) process.on(name, onSignal)
  return { signal: controller.signal, again: again.signal, by: () => first, interrupt: onSignal, release }

  function release() {
    for (const name of names) process.off(name, onSignal)
  }
}

class Interrupted extends Error {
  override readonly name = 'AbortError'
}

/** For the reason of a run that ended by it. */
export function describeSignal(name: NodeJS.Signals | null): string {
  if (name === 'SIGHUP') return 'Its terminal was closed.'
  return name === null || name === 'SIGINT' ? 'It was interrupted.' : `It was terminated (${name}).`
}
