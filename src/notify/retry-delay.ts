const shortestDelay = 1_000
const longestDelay = 10 * 60_000
const giveUpAfter = 24 * 3_600_000

interface Failure {
  /** How often it was tried. */
  tries: number
  /** Milliseconds since the message was created. */
  age: number
  /** The delay that the target asked for, in milliseconds. */
  retryAfter?: number | null
  random?: () => number
}

/** The delay before the next try: doubles each time, with jitter. Null once the message is a day old. */
export function retryDelay({ tries, age, retryAfter = null, random = Math.random }: Failure): number | null {
  if (age >= giveUpAfter) return null
  const backoff = Math.min(longestDelay, shortestDelay * 2 ** Math.min(tries - 1, 20))
  const delay = Math.min(longestDelay, Math.max(backoff, retryAfter ?? 0))
  return Math.min(longestDelay, delay * (0.75 + random() / 2))
}
