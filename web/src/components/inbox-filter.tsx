import { useRef } from 'react'
import { useShortcuts } from '../browser/shortcuts.ts'
import { t } from '../words/translate.ts'

interface Props {
  value: string
  onChange: (value: string) => void
  /** Enter opens the first match. */
  onEnter: () => void
}

export function InboxFilter({ value, onChange, onEnter }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useShortcuts({
    '/': event => {
      event.preventDefault()
      field.current?.focus()
    },
  })
  return (
    <input
      ref={field}
      type="search"
      className="inbox-filter"
      value={value}
      onChange={event => onChange(event.target.value)}
      onKeyDown={event => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter()
      }}
      placeholder={t('Filter by agent or text')}
      aria-label={t('Filter by agent or text')}
      autoComplete="off"
    />
  )
}
