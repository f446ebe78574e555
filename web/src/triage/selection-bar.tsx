import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { t } from '../words/translate.ts'
import './selection-bar.css'

interface Props {
  rows: readonly InboxRow[]
  onAnswer: () => void
  onDecline: () => void
  onSnooze: () => void
  onClear: () => void
}

/** What can be done with the selected rows. Only alike ones are answered together, and nothing dangerous is. */
export function SelectionBar({ rows, onAnswer, onDecline, onSnooze, onClear }: Props) {
  const [first] = rows
  if (!first) return null
  const areSafe = rows.every(({ severity }) => severity !== 'critical' && severity !== 'high')
  const areAlike = first.alike !== null && first.parts <= 1 && rows.every(({ alike }) => alike === first.alike)
  const why = !areSafe
    ? t('Dangerous approvals are decided one by one.')
    : !areAlike
      ? t('Only requests that ask the same are answered together.')
      : null
  return (
    <div className="selection-bar" role="toolbar" aria-label={t('Selection')}>
      <p>
        <b>{t('{count} selected', { count: rows.length })}</b>
        {why !== null && <span className="quiet">{why}</span>}
      </p>
      <div className="selection-bar-buttons">
        {areSafe && areAlike && (
          <button type="button" className="primary" onClick={onAnswer}>
            {t('Answer…')}
          </button>
        )}
        {areSafe && (
          <button type="button" onClick={onDecline}>
            {t('Decline…')}
          </button>
        )}
        <button type="button" onClick={onSnooze}>
          {t('Snooze')}
        </button>
        <button type="button" className="plain" onClick={onClear}>
          {t('Clear')}{' '}
          <span aria-hidden="true">
            <kbd>Esc</kbd>
          </span>
        </button>
      </div>
    </div>
  )
}
