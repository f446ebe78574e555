import { useEffect, useRef } from 'react'

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>

const pause = 1_000
let deafSince: number | null = null

/**
 * What somebody was writing into is gone, because somebody else was first: the rest of their typing is meant for nobody,
 * until they pause.
 */
export function ignoreTheRest(): void {
  if (isWriting(document.activeElement)) deafSince = performance.now()
}

function isTheRest(event: KeyboardEvent): boolean {
  if (deafSince === null) return false
  const isOver = event.timeStamp - deafSince > pause
  deafSince = isOver ? null : event.timeStamp
  return !isOver
}

/** Keys for the whole page, out of the way of texts, of the browser's own keys, and of dialogs. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTheRest(event)) return event.preventDefault()
      if (event.key === 'Escape' && isWriting(event.target)) (event.target as HTMLElement).blur()
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
