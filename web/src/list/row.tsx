import { memo } from 'react'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import type { Status } from '../../../src/protocol/status.ts'
import { projectOf } from '../../../src/rules/asker.ts'
import { Avatar } from '../components/avatar.tsx'
import { SessionName } from '../components/session-name.tsx'
import { useNow } from '../components/use-now.ts'
import { Link } from '../router.tsx'
import { severityLevel } from '../state/danger.ts'
import { requestPath } from '../state/view.ts'
import { CommandText } from '../text/command-text.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { swipeToSnooze } from '../triage/swipe.ts'
import { rowKindName, statusName } from '../words/names.ts'
import { age, moment } from '../words/times.ts'
import { t } from '../words/translate.ts'
import { Ring } from './ring.tsx'
import './row.css'

interface Props {
  row: InboxRow
  /** The name of its run, or of the agent. */
  asker: string
  /** Other sessions of the same agent ask in the same directory. */
  showSession: boolean
  isOpen: boolean
  /** What became of it since it was listed. */
  settled: Status | null
  /** The decision on it waits to be sent. */
  isDecided: boolean
  isSelected: boolean
  onSelect: (id: string, isRange: boolean) => void
  onSnooze: (row: InboxRow) => void
}

/** One request in the list: who, what, of which kind, since when. Memoised: the list changes often. */
export const Row = memo(function Row(props: Props) {
  const { row, asker, showSession, isOpen, settled, isDecided, isSelected, onSelect, onSnooze } = props
  const isOver = settled !== null || isDecided
  return (
    <div className="row-place" ref={isOver ? null : swipeToSnooze(() => onSnooze(row))}>
      <Link
        href={requestPath(row.id)}
        className={`row ${isOver ? 'settled' : ''}`}
        aria-current={isOpen ? 'true' : undefined}
        data-request={row.id}
        // What is open already only takes the focus.
        onOpen={() => isOpen && document.querySelector<HTMLElement>('.request h1')?.focus()}
        data-danger={isOver || row.severity === null ? undefined : severityLevel(row.severity)}
        data-selected={isSelected || undefined}
      >
        <Avatar name={asker} />
        <span className={`row-title ${row.kind === 'approval' ? 'mono' : ''}`} dir="auto">
          {row.kind === 'approval' ? (
            <CommandText text={titleText(row.title, 160)} />
          ) : (
            <UntrustedTitle text={row.title} longest={160} />
          )}
        </span>
        <span className="row-end">
          {!isOver && <Ring row={row} />}
          <Age at={row.createdAt} />
        </span>
        <span className="row-about">
          <span>
            <UntrustedTitle text={asker} longest={40} />
          </span>
          <span>
            <UntrustedTitle text={projectOf(row.directory)} longest={40} />
          </span>
          {showSession && row.session !== null && <SessionName session={row.session} />}
          <About row={row} settled={settled} isDecided={isDecided} />
        </span>
      </Link>
      {!isOver && (
        <label className="row-check">
          <input
            type="checkbox"
            checked={isSelected}
            tabIndex={-1}
            aria-label={t('Select {title}', { title: titleText(row.title, 80) })}
            onChange={event => onSelect(row.id, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        </label>
      )}
    </div>
  )
})

function About({ row, settled, isDecided }: Pick<Props, 'row' | 'settled' | 'isDecided'>) {
  if (settled !== null) return <b>{statusName(settled)}</b>
  if (isDecided) return <b>{t('Decided')}</b>
  return (
    <>
      <span>{rowKindName(row)}</span>
      {row.lastMessage === 'agent' && <b className="row-reply">{t('replied')}</b>}
      {row.lastMessage === 'person' && <span>{t('asked back')}</span>}
    </>
  )
}

function Age({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={moment(at)}>
      {age(at, now)}
    </time>
  )
}
