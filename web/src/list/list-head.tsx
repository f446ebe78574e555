import { useState } from 'react'
import type { InboxView } from '../../../src/protocol/inbox.ts'
import { Icon } from '../components/icons.tsx'
import { Link } from '../router.tsx'
import { useInbox } from '../state/inbox.ts'
import { inboxPath, isNarrowed, type View } from '../state/view.ts'
import { t } from '../words/translate.ts'
import { Filters } from './filters.tsx'
import { Find } from './find.tsx'
import './list-head.css'

interface Props {
  view: View
  newCount: number
  onShowNew: () => void
  /** Enter in the find field. */
  onEnter: () => void
}

/** What the list shows, how many there are, and ways to narrow it down. */
export function ListHead({ view, newCount, onShowNew, onEnter }: Props) {
  const { counts, found, isLoaded } = useInbox()
  const { search: _, ...chips } = view
  const [isOpen, setOpen] = useState(false)
  const isFiltered = isNarrowed(chips)
  return (
    <header className="list-head">
      <div className="list-head-line">
        <h1 id="inbox-title">{viewName(view.view)}</h1>
        {isLoaded && found > 0 && <span className="quiet">{t('{count} waiting', { count: found })}</span>}
        {newCount > 0 && (
          <button type="button" className="new-requests" onClick={onShowNew}>
            {newCount === 1 ? t('1 new request') : t('{count} new requests', { count: newCount })}
          </button>
        )}
      </div>
      {/* Where there is no room for the rail. */}
      <nav className="list-head-views" aria-label={t('Views')}>
        {views.map(name => (
          <Link key={name} href={inboxPath({ view: name })} aria-current={name === view.view ? 'true' : undefined}>
            {viewName(name)} {counts[name] > 0 && <b>{counts[name]}</b>}
          </Link>
        ))}
      </nav>
      <div className="list-head-find">
        <Find view={view} onEnter={onEnter} />
        <button
          type="button"
          className="plain list-head-filter"
          aria-expanded={isOpen || isFiltered}
          aria-label={t('Filters')}
          title={t('Filters')}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="filter" />
        </button>
      </div>
      {(isOpen || isFiltered) && <Filters view={view} />}
    </header>
  )
}

const views: readonly InboxView[] = ['waiting', 'urgent', 'snoozed']

function viewName(view: InboxView): string {
  const names: Record<InboxView, string> = { urgent: t('Urgent'), waiting: t('Inbox'), snoozed: t('Snoozed') }
  return names[view]
}
