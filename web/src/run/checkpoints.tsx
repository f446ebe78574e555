import { useEffect, useState } from 'react'
import type { Checkpoint } from '../../../src/protocol/checkpoint.ts'
import { listCheckpoints } from '../api/runs.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { When } from '../parts/time.tsx'
import { Said } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'

/** The places a run can be brought back to. Bringing it back changes files, so it is done where the files are. */
export function Checkpoints({ run, version }: { run: string; version: string }) {
  const [checkpoints, setCheckpoints] = useState<readonly Checkpoint[] | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when the run has changed
  useEffect(() => {
    listCheckpoints(run).then(setCheckpoints, () => setCheckpoints([]))
  }, [run, version])
  if (checkpoints === null) return null
  if (checkpoints.length === 0) return <p className="quiet">{t('No checkpoints yet.')}</p>
  return (
    <ul className="checkpoints">
      {checkpoints.map(({ id, at, reason, snapshot, note }) => (
        <li key={id}>
          <p>
            <b>{reasonName(reason)}</b> · <When at={at} />
            {snapshot && <span className="quiet"> · {t('files kept')}</span>}
          </p>
          {note !== null && (
            <p className="quiet">
              <Said text={note} />
            </p>
          )}
          <p className="restore">
            <code>
              beckon restore <Said text={id} />
            </code>
            <CopyButton text={`beckon restore ${id}`} />
          </p>
        </li>
      ))}
    </ul>
  )
}

function reasonName(reason: string): string {
  const names: Record<string, string> = {
    start: t('Started'),
    request: t('Asked'),
    pause: t('Paused'),
    phase: t('Finished a phase'),
    sleep: t('Fell asleep'),
    demand: t('Asked for'),
  }
  return Object.hasOwn(names, reason) ? (names[reason] ?? reason) : reason
}
