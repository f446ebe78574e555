import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { useShortcuts } from '../browser/shortcuts.ts'
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
  const areSafe = rows.every(({ severity }) => severity !== 'critical' && severity !== 'high')
  const alike = first && first.parts <= 1 ? first.alike : null
  const areAlike = alike !== null && rows.every(row => row.alike === alike)
  // While several are selected, no key decides only the one that is open.
  useShortcuts({
    ...(first ? Object.fromEntries([...'0123456789celrs'].map(key => [key, () => {}])) : {}),
    ...(first ? { a: areSafe && areAlike ? onAnswer : () => {}, d: areSafe ? onDecline : () => {} } : {}),
  })
  if (!first) return null
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
          <button type="button" aria-keyshortcuts="a" className="primary" onClick={onAnswer}>
            {t('Answer…')} <KeyCap name="A" />
          </button>
        )}
        {areSafe && (
          <button type="button" aria-keyshortcuts="d" onClick={onDecline}>
            {t('Decline…')} <KeyCap name="D" />
          </button>
        )}
        <button type="button" aria-keyshortcuts="z" onClick={onSnooze}>
          {t('Snooze')} <KeyCap name="Z" />
        </button>
        <button type="button" className="plain" onClick={onClear}>
          {t('Clear')} <KeyCap name="Esc" />
        </button>
      </div>
    </div>
  )
}

function KeyCap({ name }: { name: string }) {
  return (
    <span aria-hidden="true">
      <kbd>{name}</kbd>
    </span>
  )
}
