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
  /** Characters of a file that the command runs; a longer one stays unknown. */
  fileSize: 100_000,
  /** Characters of all such files. */
  fileSizeOfAll: 400_000,
  /** Such files, and paths at which one was looked for. */
  files: 32,
  tries: 256,
  /** Scripts that these files run, each counted once for the same arguments. */
  visits: 1_000,
} as const

/**
 * Thrown when a limit is reached. `classify` catches it and asks about the command; within a file that the command runs,
 * the rest of the file stays unknown instead.
 */
export class LimitExceeded extends Error {}
