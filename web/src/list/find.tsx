import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../browser/shortcuts.ts'
import type { View } from '../state/view.ts'
import { t } from '../words/translate.ts'
import { changeView } from './change-view.ts'
import './find.css'

// The hub looks through everything: it is asked when the person pauses.
const typingPause = 200

/** Finds in everything that waits. The words are in the address, like the rest of the view. */
export function Find({ view, onEnter }: { view: View; onEnter: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const found = view.search ?? ''
  const [text, setText] = useState(found)
  const [lastFound, setLastFound] = useState(found)
  // What this field put into the address while the person went on typing; that must not come back as their text.
  const asked = useRef(new Set<string>())
  if (found !== lastFound) {
    setLastFound(found)
    // Something else changed the address, such as a link in the rail.
    if (!asked.current.has(found)) setText(found)
  }
  useEffect(() => {
    if (text.trim() === found) return asked.current.clear()
    const timer = setTimeout(() => find(text), typingPause)
    return () => clearTimeout(timer)
  })
  useShortcuts({
    '/': event => {
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    },
  })
  return (
    <input
      ref={field}
      type="search"
      className="find"
      value={text}
      onChange={event => setText(event.target.value)}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        if (text.trim() !== found) return find(text)
        // The next keys are for the request that opens.
        event.currentTarget.blur()
        onEnter()
      }}
      placeholder={t('Find anything that waits')}
      aria-label={t('Find anything that waits')}
      aria-keyshortcuts="/"
      autoComplete="off"
    />
  )

  function find(words: string) {
    asked.current.add(words.trim())
    changeView({ ...view, search: words.trim() || undefined })
  }
}
