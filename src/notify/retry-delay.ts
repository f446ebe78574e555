const first = 1_000
const longest = 10 * 60_000
const givesUpAfter = 24 * 3_600_000

interface Failure {
  /** How often it was tried. */
  tries: number
  /** Milliseconds since the message was written. */
  age: number
  /** What the target asked for. */
  retryAfter?: number | null
  random?: () => number
}

/** How long to wait: twice as long each time, and never quite the same for two; null once it has been a day. */
export function nextTry({ tries, age, retryAfter = null, random = Math.random }: Failure): number | null {
  if (age >= givesUpAfter) return null
  const usual = Math.min(longest, first * 2 ** Math.min(tries - 1, 20))
  const wished = Math.min(longest, Math.max(usual, retryAfter ?? 0))
  return Math.min(longest, wished * (0.75 + random() / 2))
}
