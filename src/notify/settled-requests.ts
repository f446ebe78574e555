/** The requests whose callbacks to look for: those that were settled since the last time. */
export interface SettledRequests {
  add(request: string | null): void
  /** Null for all: from time to time, because an event may have been missed, or a caller joined a settled request. */
  take(): string[] | null
}

// As often as a sender looks without an event.
const lookAtAllEvery = 5_000
const mostAtOnce = 1_000

export function createSettledRequests(now: () => number = performance.now.bind(performance)): SettledRequests {
  const settled = new Set<string>()
  let lookedAtAll = Number.NEGATIVE_INFINITY
  return {
    add: request => void (request && settled.add(request)),
    take() {
      const requests = [...settled]
      settled.clear()
      if (requests.length <= mostAtOnce && now() - lookedAtAll < lookAtAllEvery) return requests
      lookedAtAll = now()
      return null
    },
  }
}
