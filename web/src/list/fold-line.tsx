import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { Link } from '../router.tsx'
import { inboxPath, type View } from '../state/view.ts'
import { t } from '../words/translate.ts'
import './fold-line.css'

interface Props {
  row: InboxRow
  view: View
  onAnswer: (fold: View) => void
}

/** "72 like this": what one agent asks over and over takes one row. */
export function FoldLine({ row: { folded, alike, parts }, view, onAnswer }: Props) {
  if (alike === null) return null
  return (
    <p className="fold-line">
      <span>{t('{count} more like this', { count: folded })}</span>
      <Link href={inboxPath({ ...view, alike })}>{t('Show')}</Link>
      {parts <= 1 && (
        <button type="button" className="plain" onClick={() => onAnswer({ ...view, alike })}>
          {t('Answer together')}
        </button>
      )}
    </p>
  )
}
