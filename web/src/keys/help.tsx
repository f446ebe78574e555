import { useEffect, useRef } from 'react'
import { t } from '../words/translate.ts'
import { allKeys, type Key } from './all-keys.ts'
import './help.css'

/** Every key of the page, by where it works. */
export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="key-help" aria-labelledby="key-help-title" onClose={onClose}>
      <header className="key-help-head">
        <h2 id="key-help-title">{t('Keyboard shortcuts')}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          {t('Close')}
        </button>
      </header>
      <div className="key-help-columns">
        {places.map(where => {
          const keys = allKeys.filter(key => key.where === where)
          if (keys.length === 0) return null
          return (
            <section key={where}>
              <h3>{placeName(where)}</h3>
              <dl>
                {keys.map(({ key, says }) => (
                  <div key={key + says}>
                    <dt>
                      <KeyCaps keys={key} />
                    </dt>
                    <dd>{t(says)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        })}
      </div>
    </dialog>
  )
}

/** `Ctrl K` as two caps; the dash of `1 – 9` is not a key. */
function KeyCaps({ keys }: { keys: string }) {
  return keys.split(' ').map(key => (key === '–' ? key : <kbd key={key}>{key}</kbd>))
}

const places = ['list', 'request', 'review', 'everywhere'] as const

function placeName(where: Key['where']): string {
  const names: Record<Key['where'], string> = {
    list: t('In the list'),
    request: t('On a request'),
    review: t('On a review'),
    everywhere: t('Everywhere'),
  }
  return names[where]
}
