import { memo, useEffect, useMemo, useRef, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { projectOf } from '../../../src/rules/asker.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { useShortcuts } from '../browser/shortcuts.ts'
import { KindMark } from '../components/icons.tsx'
import { InboxFilter } from '../components/inbox-filter.tsx'
import { SessionName } from '../components/session-name.tsx'
import { Ago } from '../components/time.tsx'
import { useIsInUse } from '../components/use-is-in-use.ts'
import { useNow } from '../components/use-now.ts'
import { RowDeadline } from '../request/deadline.tsx'
import { go, Link, paths } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import {
  askerName,
  dangerLevel,
  filterRequests,
  type Group,
  groupRequests,
  pendingRequests,
  stableOrder,
  takeRows,
} from '../state/inbox-order.ts'
import { CommandText } from '../text/command-text.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { kindName, statusName } from '../words/names.ts'
import { t } from '../words/translate.ts'

const pageSize = 200
/** A list longer than this gets a filter. */
const filterFrom = 8

let lastOpened: string | null = null

/** Every pending request, beside the one that is open. */
export function Inbox({ open }: { open: string | null }) {
  const { isLoaded, requests, runs, more } = useHubState()
  const list = useRef<HTMLElement>(null)
  const inUse = useIsInUse(list)
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const { shown, newCount } = useMemo(() => stableOrder(inUse ? order : null, requests), [inUse, order, requests])
  const [limit, setLimit] = useState(pageSize)
  // While the list is in use, the clock moves no row either.
  const clock = useNow()
  const lastClock = useRef(clock)
  const now = inUse ? lastClock.current : clock
  lastClock.current = now
  const [filter, setFilter] = useState('')
  const found = useMemo(() => filterRequests(shown, runs, filter), [shown, runs, filter])
  // Grouped before it is cut, so that Show more only adds rows at the end.
  const groups = useMemo(() => takeRows(groupRequests(found, runs, now), limit), [found, limit, runs, now])
  const rows = groups.flatMap(group => group.requests)
  // The order to keep once the list is in use.
  const ids = shown.map(({ id }) => id).join(' ')
  useEffect(() => {
    if (!inUse) setOrder(ids === '' ? null : ids.split(' '))
  }, [inUse, ids])
  useEffect(() => {
    if (open === null) return
    lastOpened = open
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [open])
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    n: () => openNext(),
    ...(open === null ? numberKeys(rows) : {}),
  })

  return (
    <section className="inbox" aria-label={t('Inbox')} ref={list}>
      <header className="inbox-head">
        <h1>{t('Inbox')}</h1>
        <p className="quiet">
          {isLoaded &&
            summary(
              shown.filter(({ status }) => status === 'pending'),
              more,
            )}
        </p>
        {newCount > 0 && (
          <button
            type="button"
            className="new-requests"
            onClick={() => setOrder(pendingRequests(requests).map(({ id }) => id))}
          >
            {newCount === 1 ? t('1 new request') : t('{count} new requests', { count: newCount })}
          </button>
        )}
        {(shown.length > filterFrom || filter !== '') && (
          <InboxFilter value={filter} onChange={setFilter} onEnter={() => rows[0] && go(paths.request(rows[0].id))} />
        )}
      </header>
      {isLoaded && shown.length === 0 && <EmptyInbox />}
      {shown.length > 0 && found.length === 0 && <p className="empty">{t('No results')}</p>}
      {groups.map(group => (
        <GroupSection key={group.key} group={group} open={open} />
      ))}
      {found.length > limit && (
        <button type="button" className="more-button" onClick={() => setLimit(limit + pageSize)}>
          {t('Show more')}
        </button>
      )}
      {more && found.length <= limit && (
        <p className="quiet more">{t('Showing the newest requests. There are more.')}</p>
      )}
    </section>
  )

  function move(by: 1 | -1) {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a.row') ?? [])]
    const focused = links.indexOf(document.activeElement as HTMLElement)
    // From the focused row, or from the request that was opened last.
    const last = links.findIndex(row => row.dataset.request === lastOpened)
    const from = focused >= 0 ? focused : open !== null ? last : last - (by > 0 ? 1 : -1)
    links[Math.min(links.length - 1, Math.max(0, from + by))]?.focus()
  }

  function openNext() {
    const next = rows.find(({ id, status }) => status === 'pending' && id !== open)
    if (next) go(paths.request(next.id))
  }
}

function numberKeys(rows: readonly Request[]) {
  return Object.fromEntries(rows.slice(0, 9).map(({ id }, i) => [String(i + 1), () => go(paths.request(id))]))
}

function summary(pending: readonly Request[], more: boolean): string {
  const dangerous = pending.filter(request => dangerLevel(request) > 0).length
  const waiting = t('{count} waiting', { count: `${pending.length}${more ? '+' : ''}` })
  return dangerous > 0 ? `${waiting} · ${t('{count} dangerous', { count: dangerous })}` : waiting
}

function GroupSection({ group, open }: { group: Group; open: string | null }) {
  const { runs } = useHubState()
  return (
    <section className="group">
      <h2 className={group.urgent ? 'urgent' : undefined}>
        {group.urgent ? (
          t('Urgent')
        ) : group.run === null ? (
          <UntrustedTitle text={group.name} longest={60} />
        ) : (
          <Link href={paths.run(group.run)}>
            <UntrustedTitle text={group.name} longest={60} />
          </Link>
        )}
        {group.project !== null && (
          <span>
            {' · '}
            <UntrustedTitle text={group.project} longest={60} />
          </span>
        )}
        {group.session !== null && (
          <span>
            {' · '}
            <SessionName session={group.session} />
          </span>
        )}
        {group.count > 1 && <span className="group-count"> {group.count}</span>}
      </h2>
      <ul>
        {group.requests.map(request => (
          <li key={request.id}>
            <Row
              request={request}
              isOpen={request.id === open}
              asker={group.urgent ? askerName(request, runs) : null}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  request: Request
  isOpen: boolean
  /** Shown where the group does not name the asker. */
  asker: string | null
}

// Memoised: the list may be long, and it changes often.
const Row = memo(function Row({ request, isOpen, asker }: RowProps) {
  const isSettled = request.status !== 'pending'
  const count = request.kind === 'question' ? request.questions.length : 1
  return (
    <Link
      href={paths.request(request.id)}
      className={`row ${isSettled ? 'settled' : ''}`}
      aria-current={isOpen ? 'true' : undefined}
      data-request={request.id}
    >
      <KindMark request={request} />
      <span className="row-text">
        <span className={`row-title ${request.kind === 'approval' ? 'mono' : ''}`} dir="auto">
          {request.kind === 'approval' ? (
            <CommandText text={titleText(titleOf(request), 240)} />
          ) : (
            <UntrustedTitle text={titleOf(request)} longest={240} />
          )}
        </span>
        <span className="row-about">
          {isSettled ? <b>{statusName(request.status)}</b> : <span>{kindName(request)}</span>}
          {count > 1 && <span>{t('{count} questions', { count })}</span>}
          {!request.required && !isSettled && <span>{t('optional')}</span>}
          <Ago at={request.settledAt ?? request.createdAt} />
          {asker !== null && (
            <span>
              <UntrustedTitle text={asker} longest={40} />
            </span>
          )}
          {asker !== null && request.session && (
            <>
              <span>
                <UntrustedTitle text={projectOf(request.agent.cwd)} longest={40} />
              </span>
              <SessionName session={request.session} />
            </>
          )}
          <RowDeadline request={request} />
        </span>
      </span>
    </Link>
  )
})

function EmptyInbox() {
  return (
    <div className="empty">
      <p className="empty-title">{t('No requests waiting')}</p>
      <p>{t('Requests from your agents appear here. Try it in a terminal:')}</p>
      <pre>
        <code>
          <CommandText text={'npx beckon ask "Ship it?" --option yes --option no'} />
        </code>
      </pre>
    </div>
  )
}
