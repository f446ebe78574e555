import { memo, useEffect, useMemo, useRef, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { useKeys } from '../keys.ts'
import { useKnown } from '../live.ts'
import { useNow } from '../parts/clock.ts'
import { FindWaiting } from '../parts/find-waiting.tsx'
import { KindMark } from '../parts/icons.tsx'
import { Ago, Until } from '../parts/time.tsx'
import { useHeld } from '../parts/use-held.ts'
import { go, Link, paths } from '../router.tsx'
import { Unbroken } from '../text/unbroken.tsx'
import { SaidTitle, titleText } from '../text/untrusted-text.tsx'
import { askerOf, dangerOf, firstRows, type Group, groupsOf, heldOrder, matching, pendingOf } from '../waiting.ts'
import { kindName, statusName } from '../words/names.ts'
import { t } from '../words/words.ts'

const page = 200
/** Among these one finds without looking for. */
const fewEnough = 8

let lastOpened: string | null = null

/** Everything that waits, beside the one that is open. */
export function Inbox({ open }: { open: string | null }) {
  const { isLoaded, requests, runs, more } = useKnown()
  const list = useRef<HTMLElement>(null)
  const held = useHeld(list)
  const [kept, setKept] = useState<readonly string[] | null>(null)
  const { shown, fresh } = useMemo(() => heldOrder(held ? kept : null, requests), [held, kept, requests])
  const [most, setMost] = useState(page)
  // While it is held, no clock moves a row either.
  const clock = useNow()
  const lastClock = useRef(clock)
  const now = held ? lastClock.current : clock
  lastClock.current = now
  const [words, setWords] = useState('')
  const found = useMemo(() => matching(shown, runs, words), [shown, runs, words])
  // Grouped before it is cut: what comes with more rows comes behind those that were read.
  const groups = useMemo(() => firstRows(groupsOf(found, runs, now), most), [found, most, runs, now])
  const order = groups.flatMap(group => group.requests)
  // While it is held, the order of the moment before is kept.
  const ids = shown.map(({ id }) => id).join(' ')
  useEffect(() => {
    if (!held) setKept(ids === '' ? null : ids.split(' '))
  }, [held, ids])
  useEffect(() => {
    if (open === null) return
    lastOpened = open
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [open])
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    n: () => openNext(),
    ...(open === null ? numberKeys(order) : {}),
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
        {fresh > 0 && (
          <button type="button" className="fresh" onClick={() => setKept(pendingOf(requests).map(({ id }) => id))}>
            {fresh === 1 ? t('1 new request') : t('{count} new requests', { count: fresh })}
          </button>
        )}
        {(shown.length > fewEnough || words !== '') && (
          <FindWaiting words={words} onChange={setWords} onEnter={() => order[0] && go(paths.request(order[0].id))} />
        )}
      </header>
      {isLoaded && shown.length === 0 && <Empty />}
      {shown.length > 0 && found.length === 0 && <p className="empty">{t('Nothing was found.')}</p>}
      {groups.map(group => (
        <GroupOf key={group.key} group={group} open={open} />
      ))}
      {found.length > most && (
        <button type="button" className="more-button" onClick={() => setMost(most + page)}>
          {t('Show more')}
        </button>
      )}
      {more && found.length <= most && <p className="quiet more">{t('There are more; these are the newest.')}</p>}
    </section>
  )

  function move(by: 1 | -1) {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('a.row') ?? [])]
    const focused = rows.indexOf(document.activeElement as HTMLElement)
    // From where one is, or was last.
    const last = rows.findIndex(row => row.dataset.request === lastOpened)
    const from = focused >= 0 ? focused : open !== null ? last : last - (by > 0 ? 1 : -1)
    rows[Math.min(rows.length - 1, Math.max(0, from + by))]?.focus()
  }

  function openNext() {
    const next = order.find(({ id, status }) => status === 'pending' && id !== open)
    if (next) go(paths.request(next.id))
  }
}

function numberKeys(order: readonly Request[]) {
  return Object.fromEntries(order.slice(0, 9).map(({ id }, i) => [String(i + 1), () => go(paths.request(id))]))
}

function summary(pending: readonly Request[], more: boolean): string {
  const dangerous = pending.filter(request => dangerOf(request) > 0).length
  const waiting = t('{count} waiting', { count: `${pending.length}${more ? '+' : ''}` })
  return dangerous > 0 ? `${waiting} · ${t('{count} dangerous', { count: dangerous })}` : waiting
}

function GroupOf({ group, open }: { group: Group; open: string | null }) {
  const { runs } = useKnown()
  return (
    <section className="group">
      <h2 className={group.urgent ? 'urgent' : undefined}>
        {group.urgent ? (
          t('Urgent')
        ) : group.run === null ? (
          <SaidTitle text={group.name} longest={60} />
        ) : (
          <Link href={paths.run(group.run)}>
            <SaidTitle text={group.name} longest={60} />
          </Link>
        )}
        {group.count > 1 && <span className="group-count"> {group.count}</span>}
      </h2>
      <ul>
        {group.requests.map(request => (
          <li key={request.id}>
            <Row request={request} isOpen={request.id === open} asker={group.urgent ? askerOf(request, runs) : null} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  request: Request
  isOpen: boolean
  /** Where the group does not say it. */
  asker: string | null
}

// Kept as it was while its request is: the list may be long, and changes often.
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
            <Unbroken text={titleText(titleOf(request), 240)} />
          ) : (
            <SaidTitle text={titleOf(request)} longest={240} />
          )}
        </span>
        <span className="row-about">
          {isSettled ? <b>{statusName(request.status)}</b> : <span>{kindName(request)}</span>}
          {count > 1 && <span>{t('{count} questions', { count })}</span>}
          {!request.required && !isSettled && <span>{t('optional')}</span>}
          <Ago at={request.settledAt ?? request.createdAt} />
          {asker !== null && (
            <span>
              <SaidTitle text={asker} longest={40} />
            </span>
          )}
          {!isSettled && request.deadline !== null && request.onTimeout !== 'remind' && (
            <span className="due">
              {request.onTimeout === 'default' ? t('default taken') : t('expires')} <Until at={request.deadline} />
            </span>
          )}
        </span>
      </span>
    </Link>
  )
})

function Empty() {
  return (
    <div className="empty">
      <p className="empty-title">{t('Nothing waits for you.')}</p>
      <p>{t('When an agent asks, it appears here by itself. Try it in a terminal:')}</p>
      <pre>
        <code>
          <Unbroken text={'npx beckon ask "Ship it?" --option yes --option no'} />
        </code>
      </pre>
    </div>
  )
}
