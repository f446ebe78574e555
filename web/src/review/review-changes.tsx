import { useMemo } from 'react'
import { parseFeedback } from '../../../src/form/review-feedback.ts'
import type { ReviewRequest } from '../../../src/protocol/request.ts'
import { parseDiff } from '../../../src/text/diff.ts'
import { ChangedFiles } from './changed-files.tsx'
import { useViewed } from './use-viewed.ts'

/** The changed files of a review that cannot be answered here, with the comments that were made. */
export function ReviewChanges({ request }: { request: ReviewRequest }) {
  const viewed = useViewed(request.id)
  const files = useMemo(() => parseDiff(request.diff ?? ''), [request.diff])
  const written = request.feedback ?? request.outcome?.note ?? ''
  const feedback = useMemo(() => parseFeedback(written, files), [written, files])
  return files.length === 0 ? null : <ChangedFiles files={files} viewed={viewed} feedback={feedback} />
}
