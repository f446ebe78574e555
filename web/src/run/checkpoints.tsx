import { useEffect, useState } from 'react'
import type { Checkpoint } from '../../../src/protocol/checkpoint.ts'
import { listCheckpoints } from '../api/runs.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { When } from '../components/time.tsx'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { RestoreFiles } from './restore-files.tsx'
import './checkpoints.css'

/** The checkpoints of a run. Restoring one changes files, so the command runs where the files are. */
export function Checkpoints({ run, version }: { run: string; version: string }) {
  const [checkpoints, setCheckpoints] = useState<readonly Checkpoint[] | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when the run changes
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
            {snapshot && <span className="quiet"> · {t('files saved')}</span>}
          </p>
          {note !== null && (
            <p className="quiet">
              <UntrustedText text={note} />
            </p>
          )}
          <p className="restore">
            <code>
              beckon restore <UntrustedText text={id} />
            </code>
            <CopyButton text={`beckon restore ${id}`} />
          </p>
          {snapshot && <RestoreFiles checkpoint={id} label={t('Restore these files…')} />}
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
    phase: t('Phase finished'),
    sleep: t('Went to sleep'),
    demand: t('On demand'),
  }
  return Object.hasOwn(names, reason) ? (names[reason] ?? reason) : reason
}
