import { reviewContext } from '../../supervisor/checkpoint/review.ts'

/** What changed in the directory since its last commit, for a review; null where nothing did. */
export function changesIn(cwd: string, signal: AbortSignal): Promise<string | null> {
  return reviewContext({ cwd, files: [], since: null, signal })
}
