import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { inboxPath, isNarrowed, type View } from '../state/view.ts'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import './empty-list.css'

/** Why there is no row, and where else to look. */
export function EmptyList({ view }: { view: View }) {
  if (view.search) {
    return (
      <div className="empty-list">
        <p className="empty-list-title">{t('No results')}</p>
        <p>
          <Link href={`${paths.history}?${new URLSearchParams({ q: view.search })}`}>
            {t('Find it in the history')}: <UntrustedTitle text={view.search} longest={60} />
          </Link>
        </p>
      </div>
    )
  }
  return (
    <div className="empty-list">
      <p className="empty-list-title">
        {isNarrowed(view)
          ? t('Nothing here waits')
          : view.view === 'urgent'
            ? t('Nothing is urgent')
            : view.view === 'snoozed'
              ? t('Nothing is snoozed')
              : t('Nothing waits')}
      </p>
      {(isNarrowed(view) || view.view !== 'waiting') && (
        <p>
          <Link href={inboxPath({ view: 'waiting' })}>{t('Show everything that waits')}</Link>
        </p>
      )}
    </div>
  )
}
