import { useEffect, useState } from 'react'
import type { Checkpoint } from '../../../src/protocol/checkpoint.ts'
import type { ReviewRequest } from '../../../src/protocol/request.ts'
import { listCheckpoints } from '../api/runs.ts'
import { RestoreFiles } from '../run/restore-files.tsx'
import { t } from '../words/translate.ts'

/** Takes the files back to where the phase began: the checkpoint that the diff is compared with. */
export function RestoreCheckpoint({ request, run }: { request: ReviewRequest; run: string }) {
  const [start, setStart] = useState<Checkpoint | null>(null)
  useEffect(() => {
    listCheckpoints(run).then(
      checkpoints => setStart(checkpoints.find(checkpoint => isStartOf(request, checkpoint)) ?? null),
      () => {},
    )
  }, [request, run])
  return start && <RestoreFiles checkpoint={start.id} label={t('Restore to the checkpoint…')} />
}

/** The newest one before the review; that of the review itself is taken after it is asked. */
function isStartOf({ id, createdAt }: ReviewRequest, { reason, at, requests, snapshot }: Checkpoint): boolean {
  return snapshot !== null && (reason === 'phase' || reason === 'start') && at <= createdAt && requests[0] !== id
}
