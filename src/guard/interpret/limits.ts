/** Limits are counts, never clocks, so that a command gets the same verdict on a busy machine. */
export const limits = {
  /** Characters of a command; a longer one is not judged. */
  size: 100_000,
  /** Steps of one analysis: nodes walked, programs started, words expanded. */
  steps: 30_000,
  /** Nested code: sh -c "sh -c …". */
  depth: 8,
  /** Wrappers around one program. */
  wrappers: 24,
  /** Characters of a directory; no system allows much longer ones, and a longer one counts as unknown. */
  directory: 1_000,
  /** Characters that programs and rules read, all values together. */
  text: 1_000_000,
} as const

/** Thrown when a limit is reached, and caught only in `classify`, which then asks about the command. */
export class LimitExceeded extends Error {}
