import { useEffect, useRef } from 'react'

type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

const typingPause = 1_000
let ignoringSince: number | null = null

/**
 * Call this when a form disappears under the person's hands. The keys they go on typing must not act as shortcuts, until
 * they pause.
 */
export function ignoreTypingAhead(): void {
  if (isTextField(document.activeElement)) ignoringSince = performance.now()
}

function isTypingAhead(event: KeyboardEvent): boolean {
  if (ignoringSince === null) return false
  const isOver = event.timeStamp - ignoringSince > typingPause
  ignoringSince = isOver ? null : event.timeStamp
  return !isOver
}

/** Shortcuts for the whole page. They do not act in text fields, in dialogs, or with a modifier key. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTypingAhead(event)) return event.preventDefault()
      if (event.key === 'Escape' && isTextField(event.target)) (event.target as HTMLElement).blur()
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return
      // Holding a key down counts once.
      if (event.repeat || isTextField(event.target) || document.querySelector('dialog[open]')) return
      const act = latest.current[keyOf(event)]
      if (!act) return
      // Or a field that the shortcut opens would get the letter.
      if (event.key.length === 1) event.preventDefault()
      act(event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

const secondKeyWithin = 1_500

/** `g` and then a letter. The letter belongs to this alone, whatever else it does on the page. */
export function useGoTo(places: Shortcuts): void {
  const latest = useRef(places)
  latest.current = places
  useEffect(() => {
    let since: number | null = null
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.repeat || isTextField(event.target)) return
      if (document.querySelector('dialog[open]')) return
      const key = keyOf(event)
      const isSecond = since !== null && event.timeStamp - since < secondKeyWithin
      since = !isSecond && key === 'g' ? event.timeStamp : null
      const act = isSecond ? latest.current[key] : undefined
      if (!act) return
      event.preventDefault()
      event.stopImmediatePropagation()
      act(event)
    }
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [])
}

/** The letter on the key, whatever Caps Lock says and whichever script the keyboard writes. */
function keyOf(event: KeyboardEvent): string {
  const { key, code, shiftKey } = event
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter === undefined || (key.length > 1 && key !== 'Process')) return key
  const isForeign = !/^[a-z]$/i.test(key)
  return isForeign || event.getModifierState('CapsLock') ? (shiftKey ? letter : letter.toLowerCase()) : key
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'button', 'submit'].includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}
