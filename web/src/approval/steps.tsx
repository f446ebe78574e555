import { lazy, Suspense, useState } from 'react'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { loadChunk } from '../browser/load-chunk.tsx'
import { t } from '../words/translate.ts'

// Few people open it, so the first load is without it.
const StepList = lazy(async () => ({ default: (await loadChunk(() => import('./step-list.tsx'))).StepList }))

/** What the command would start, step by step: folded, and asked for when it is opened. */
export function Steps({ id, action }: Pick<ApprovalRequest, 'id' | 'action'>) {
  const [open, setOpen] = useState(false)
  return (
    <details className="steps" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('Step by step')}</summary>
      {open && (
        <Suspense fallback={<p className="quiet">{t('Checking the command…')}</p>}>
          <StepList id={id} action={action} />
        </Suspense>
      )}
    </details>
  )
}
