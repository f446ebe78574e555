/** Limits are counts, never clocks: the same command gets the same verdict on a busy machine. */
export const limits = {
  /** Characters of a command that are looked at. */
  size: 100_000,
  /** Steps of one reading: nodes walked, programs started, words expanded. */
  steps: 60_000,
  /** Code in strings in code: sh -c "sh -c …". */
  depth: 8,
  /** Wrappers around one program. */
  wrappers: 24,
  /** Characters of all values together. */
  text: 4_000_000,
} as const

/** Thrown by `step` and caught in `classify` alone: the command is asked about. */
export class LimitExceeded extends Error {}
