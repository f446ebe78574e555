import type { HubApi } from '../../protocol/hub.ts'
import { phaseStart } from '../../supervisor/checkpoint/checkpoint.ts'
import { type ReviewedChanges, reviewChanges } from '../../supervisor/checkpoint/review.ts'

/** What changed in the directory since its last commit. */
export function changesSinceCommit(cwd: string, signal: AbortSignal): Promise<ReviewedChanges> {
  return reviewChanges({ cwd, files: [], since: null, signal })
}

/** What changed since the phase of the run began; without a run, since the last commit. */
export async function changesForReview(
  hub: HubApi,
  cwd: string,
  files: readonly string[],
  run: string | null,
): Promise<ReviewedChanges> {
  // A run on another machine, or one that this token may not see, has no files here.
  const since = run === null ? null : await phaseStart(hub, run).catch(() => null)
  return reviewChanges({ cwd, files, since })
}
