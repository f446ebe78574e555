import { useEffect, useRef } from 'react'

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** Keys for the whole page, out of the way of texts, of the browser's own keys, and of dialogs. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return
      // A key that is held down counts once.
      if (event.repeat || isWriting(event.target) || document.querySelector('dialog[open]')) return
      latest.current[event.key]?.(event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'button', 'submit'].includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}
