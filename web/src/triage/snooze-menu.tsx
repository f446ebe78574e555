import { useEffect, useRef } from 'react'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { serverTime } from '../server-time.ts'
import { t } from '../words/translate.ts'
import { shortMoment, snoozeTimes } from './snooze-times.ts'
import { snoozeRows, wake } from './snoozing.ts'
import './snooze-menu.css'

interface Props {
  rows: readonly InboxRow[]
  onClose: () => void
  onDone: () => void
}

/** Until when? One key or one tap. */
export default function SnoozeMenu({ rows, onClose, onDone }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const times = snoozeTimes(new Date(serverTime()))
  const snoozed = rows.filter(({ snoozedUntil }) => snoozedUntil !== null)
  return (
    <dialog
      ref={dialog}
      className="snooze-menu"
      aria-labelledby="snooze-title"
      onClose={onClose}
      onClick={event => event.target === dialog.current && onClose()}
      onKeyDown={event => {
        const time = times[Number(event.key) - 1]
        if (!time) return
        // The key must not act on the request below as well.
        event.preventDefault()
        choose(time.until)
      }}
    >
      <h2 id="snooze-title">
        {rows.length === 1 ? t('Snooze') : t('Snooze {count} requests', { count: rows.length })}
      </h2>
      <p className="quiet">{t('Only you stop seeing it. Its deadline stays.')}</p>
      <ul>
        {times.map(({ name, until }, i) => (
          <li key={name}>
            <button type="button" className="plain" onClick={() => choose(until)}>
              <span>{name}</span>
              <span className="quiet">{shortMoment(until)}</span>
              <span aria-hidden="true">
                <kbd>{i + 1}</kbd>
              </span>
            </button>
          </li>
        ))}
        {snoozed.length > 0 && (
          <li>
            <button type="button" className="plain" onClick={end}>
              <span>{t('Show it now')}</span>
            </button>
          </li>
        )}
      </ul>
    </dialog>
  )

  function choose(until: Date) {
    dialog.current?.close()
    onDone()
    void snoozeRows(rows, until)
  }

  function end() {
    dialog.current?.close()
    onDone()
    void wake(snoozed.map(({ id }) => id))
  }
}
