import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { titleOf } from '../../../src/core/title.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { useKeys } from '../keys.ts'
import { useKnown } from '../live.ts'
import { KindMark } from '../parts/icons.tsx'
import { Ago } from '../parts/time.tsx'
import { useHeld } from '../parts/use-held.ts'
import { go, Link, paths } from '../router.tsx'
import { SaidTitle, titleText } from '../text/said.tsx'
import { Unbroken } from '../text/unbroken.tsx'
import { dangerOf, type Group, groupsOf, heldOrder, pendingOf } from '../waiting.ts'
import { kindName, statusName } from '../words/names.ts'
import { t } from '../words/words.ts'

const page = 200

/** Everything that waits, beside the one that is open. */
export function Inbox({ open }: { open: string | null }) {
  const { phase, requests, runs, more } = useKnown()
  const list = useRef<HTMLElement>(null)
  const held = useHeld(list)
  const [kept, setKept] = useState<readonly string[] | null>(null)
  const { shown, fresh } = useMemo(() => heldOrder(held ? kept : null, requests), [held, kept, requests])
  const [most, setMost] = useState(page)
  const groups = useMemo(() => groupsOf(shown.slice(0, most), runs), [shown, most, runs])
  const order = groups.flatMap(group => group.requests)
  // While it is held, the order of the moment before is kept.
  const ids = shown.map(({ id }) => id).join(' ')
  useEffect(() => {
    if (!held) setKept(ids === '' ? null : ids.split(' '))
  }, [held, ids])
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
          {summary(
            shown.filter(({ status }) => status === 'pending'),
            more,
          )}
        </p>
        {fresh > 0 && (
          <button type="button" className="fresh" onClick={() => setKept(pendingOf(requests).map(({ id }) => id))}>
            {fresh === 1 ? t('1 new request') : t('{count} new requests', { count: fresh })}
          </button>
        )}
      </header>
      {phase !== 'loading' && order.length === 0 && <Empty />}
      {groups.map(group => (
        <GroupOf key={group.run ?? group.name} group={group} open={open} />
      ))}
      {shown.length > most && (
        <button type="button" className="more-button" onClick={() => setMost(most + page)}>
          {t('Show more')}
        </button>
      )}
      {more && shown.length <= most && <p className="quiet more">{t('There are more; these are the newest.')}</p>}
    </section>
  )

  function move(by: 1 | -1) {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('a.row') ?? [])]
    const focused = rows.indexOf(document.activeElement as HTMLElement)
    const from = focused >= 0 ? focused : rows.findIndex(row => row.getAttribute('aria-current') === 'true')
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
  return (
    <section className="group">
      <h2>
        {group.run === null ? (
          <SaidTitle text={group.name} longest={60} />
        ) : (
          <Link href={paths.run(group.run)}>
            <SaidTitle text={group.name} longest={60} />
          </Link>
        )}
      </h2>
      <ul>
        {group.requests.map(request => (
          <li key={request.id}>
            <Row request={request} isOpen={request.id === open} />
          </li>
        ))}
      </ul>
    </section>
  )
}

// Kept as it was while its request is: the list may be long, and changes often.
const Row = memo(function Row({ request, isOpen }: { request: Request; isOpen: boolean }) {
  const isSettled = request.status !== 'pending'
  const count = request.kind === 'question' ? request.questions.length : 1
  return (
    <Link
      href={paths.request(request.id)}
      className={`row ${isSettled ? 'settled' : ''}`}
      aria-current={isOpen ? 'true' : undefined}
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
          {isSettled ? <b>{statusName(request.status)}</b> : kindName(request)}
          {count > 1 && <span>{t('{count} questions', { count })}</span>}
          {!request.required && !isSettled && <span>{t('optional')}</span>}
        </span>
      </span>
      <span className="row-time">
        <Ago at={request.settledAt ?? request.createdAt} />
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
        <code>npx beckon ask "Ship it?" --option yes --option no</code>
      </pre>
    </div>
  )
}
