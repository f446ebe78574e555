import { useEffect, useRef, useState } from 'react'
import { t } from '../words/words.ts'

interface Props {
  value: string
  label: string
  /** A key in several lines must not lose its line breaks. */
  multiline: boolean
  describedBy: string | undefined
  focus: boolean
  onChange: (value: string) => void
}

/** Masked unless one asks to see it; no browser or password manager is to fill it in, keep it or check its spelling. */
export function SecretField({ value, label, multiline, describedBy, focus, onChange }: Props) {
  const [shown, setShown] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus) place.current?.querySelector<HTMLElement>('input, textarea')?.focus()
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
    <div className="secret" ref={place}>
      {multiline ? (
        <textarea
          {...common}
          rows={2}
          className={`growing mono ${shown ? '' : 'masked'}`}
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
      <p className="quiet secret-about">{t('Sealed when it is sent; never shown again, never in a draft or a log.')}</p>
    </div>
  )
}
