import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { useLoadingVerbs } from '../browser/shortcuts.ts'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { tellStillLoading } from '../triage/notice.tsx'
import { t } from '../words/translate.ts'
import './pane-skeleton.css'

/** The shape of a request while it is read; with its title, where the list knows it. */
export function PaneSkeleton({ row }: { row?: InboxRow | undefined }) {
  useLoadingVerbs(true, tellStillLoading)
  return (
    <article className="pane-skeleton" aria-busy="true" aria-label={t('Loading…')}>
      <div className="pane-skeleton-strip">
        <i />
        <i />
        <i />
      </div>
      <div className="pane-skeleton-body">
        {row ? (
          <p className={`pane-skeleton-title ${row.kind === 'approval' ? 'mono' : ''}`} dir="auto">
            <UntrustedTitle text={row.title} longest={300} />
          </p>
        ) : (
          <i className="pane-skeleton-heading" />
        )}
        <i />
        <i />
        <i className="pane-skeleton-short" />
      </div>
    </article>
  )
}
