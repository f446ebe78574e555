/** A server that does not answer, while its calls are sent again. */
export interface Outage {
  url: string
  /** When we stop trying, in milliseconds since 1970; null where that is not known, or never. */
  until: number | null
}

export interface OutageWatch {
  /** A call that was sent then got no reply so far. `until`: how long it will be sent again. */
  failed(sentAt: number, until: number | null): void
  answered(): void
  stop(): void
}

export const reportAfter = 2_000

/** Reports once that the server has not answered for two seconds; again only after it has answered in between. */
export function watchForOutage(report: ((until: number | null) => void) | null): OutageWatch {
  let since: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReported = false
  return { failed, answered, stop }

  function failed(sentAt: number, until: number | null) {
    if (isReported || !report) return
    since ??= sentAt
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        isReported = true
        report(until)
      },
      Math.max(0, since + reportAfter - performance.now()),
    )
  }

  function answered() {
    stop()
    since = null
    isReported = false
  }

  function stop() {
    clearTimeout(timer)
  }
}
