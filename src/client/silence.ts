// The server sends a heartbeat every 15 seconds.
const longestSilence = 45_000

interface SilenceWatch {
  /** Aborts when it lasted too long. */
  readonly signal: AbortSignal
  /** Something came. */
  end(): void
  stop(): void
}

/** A connection that died unnoticed sends nothing more. */
export function watchForSilence(): SilenceWatch {
  const tooLong = new AbortController()
  let timer = setTimeout(() => tooLong.abort(), longestSilence)
  return {
    signal: tooLong.signal,
    end() {
      clearTimeout(timer)
      timer = setTimeout(() => tooLong.abort(), longestSilence)
    },
    stop: () => clearTimeout(timer),
  }
}
