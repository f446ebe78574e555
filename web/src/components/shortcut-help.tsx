import { useEffect, useRef } from 'react'
import { t } from '../words/translate.ts'

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const shortcuts: [string[], string][] = [
    [['j', 'k'], t('Next or previous request')],
    [['Enter'], t('Open, continue or send')],
    [['1', '–', '9'], t('Choose an option')],
    [['n'], t('Next waiting request')],
    [['/'], t('Filter the inbox')],
    [['Esc'], t('Back to the list')],
    [['Ctrl', 'Enter'], t('Continue or send from text')],
    [['?'], t('Show this help')],
  ]
  return (
    <dialog ref={dialog} className="shortcut-help" aria-labelledby="shortcuts-title" onClose={onClose}>
      <h2 id="shortcuts-title">{t('Keyboard shortcuts')}</h2>
      <dl>
        {shortcuts.map(([keys, action]) => (
          <div key={action}>
            <dt>{keys.map(key => (key === '–' ? key : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="primary" onClick={() => dialog.current?.close()}>
        {t('Close')}
      </button>
    </dialog>
  )
}
