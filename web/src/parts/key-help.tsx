import { useEffect, useRef } from 'react'
import { t } from '../words/words.ts'

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const keys: [string[], string][] = [
    [['j', 'k'], t('the next request, the one before')],
    [['Enter'], t('open it; in a form, go on or send')],
    [['1', '–', '9'], t('choose an option')],
    [['n'], t('the next one that waits')],
    [['/'], t('find among those that wait')],
    [['Esc'], t('back to the list')],
    [['Ctrl', 'Enter'], t('go on or send, from a text')],
    [['?'], t('this help')],
  ]
  return (
    <dialog ref={dialog} className="key-help" aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">{t('Keys')}</h2>
      <dl>
        {keys.map(([names, what]) => (
          <div key={what}>
            <dt>{names.map(name => (name === '–' ? name : <kbd key={name}>{name}</kbd>))}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="primary" onClick={() => dialog.current?.close()}>
        {t('Close')}
      </button>
    </dialog>
  )
}
