import { useRef } from 'react'
import { useKeys } from '../keys.ts'
import { t } from '../words/words.ts'

interface Props {
  words: string
  onChange: (words: string) => void
  /** Enter opens what was found first. */
  onEnter: () => void
}

/** Narrows a long list to those that are looked for. */
export function FindWaiting({ words, onChange, onEnter }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useKeys({
    '/': event => {
      event.preventDefault()
      field.current?.focus()
    },
  })
  return (
    <input
      ref={field}
      type="search"
      className="find-waiting"
      value={words}
      onChange={event => onChange(event.target.value)}
      onKeyDown={event => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter()
      }}
      placeholder={t('Find by agent or words')}
      aria-label={t('Find by agent or words')}
      autoComplete="off"
    />
  )
}
