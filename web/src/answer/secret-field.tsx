import { useEffect, useRef, useState } from 'react'
import { takeFocus } from '../browser/take-focus.ts'
import { t } from '../words/translate.ts'
import './secret-field.css'

interface Props {
  value: string
  label: string
  /** A key with several lines must keep its line breaks. */
  multiline: boolean
  describedBy: string | undefined
  focus: boolean
  onChange: (value: string) => void
}

/** Masked until revealed. Browsers and password managers must not fill it in, store it or check its spelling. */
export function SecretField({ value, label, multiline, describedBy, focus, onChange }: Props) {
  const [shown, setShown] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus) takeFocus(container.current?.querySelector<HTMLElement>('input, textarea'))
  }, [focus])
  const common = {
    value,
    'aria-label': label,
    'aria-describedby': describedBy,
    autoComplete: 'new-password',
    autoCorrect: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    'data-1p-ignore': true,
    'data-lpignore': 'true',
    'data-bwignore': true,
    'data-form-type': 'other',
  }
  return (
    <div className="secret" ref={container}>
      {multiline ? (
        <textarea
          {...common}
          rows={2}
          className={`auto-size mono ${shown ? '' : 'masked'}`}
          onChange={event => onChange(event.target.value)}
        />
      ) : (
        <input
          {...common}
          type={shown ? 'text' : 'password'}
          className="mono"
          onChange={event => onChange(event.target.value)}
        />
      )}
      <button type="button" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? t('Hide') : t('Reveal')}
      </button>
      <p className="quiet secret-hint">
        {t('Sealed when you send it. Never shown again, and never in drafts or logs.')}
      </p>
    </div>
  )
}
