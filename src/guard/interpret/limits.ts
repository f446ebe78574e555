/** Limits are counts, never clocks, so that a command gets the same verdict on a busy machine. */
export const limits = {
  /** Characters of a command. */
  size: 100_000,
  /** Steps of one analysis: nodes walked, programs started, words expanded. */
  steps: 60_000,
  /** Nested code: sh -c "sh -c …". */
  depth: 8,
  /** Wrappers around one program. */
  wrappers: 24,
  /** Characters of all values together. */
  text: 4_000_000,
} as const

/** Thrown when a limit is reached, and caught only in `classify`, which then asks about the command. */
export class LimitExceeded extends Error {}
