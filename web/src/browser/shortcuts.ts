import { useEffect, useRef } from 'react'

type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

const typingPause = 1_000
let ignoringSince: number | null = null

/**
 * Call this when a form disappears under the person's hands. The keys they go on typing must not act as shortcuts, until
 * they pause.
 */
export function ignoreTypingAhead(): void {
  // Whoever types what to find types it there, whatever happens to the request beside it.
  const { activeElement: field } = document
  if (isTextField(field) && !field?.closest('.inbox')) ignoringSince = performance.now()
}

function isTypingAhead(event: KeyboardEvent): boolean {
  if (ignoringSince === null) return false
  const isOver = event.timeStamp - ignoringSince > typingPause
  ignoringSince = isOver ? null : event.timeStamp
  return !isOver
}

// In the order of the page: where two parts of it want one key, the first one gets it.
const inUse = new Set<{ readonly current: Shortcuts }>()

/** Shortcuts for the whole page. They do not act in text fields, in dialogs, or with a modifier key. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    inUse.add(latest)
    return () => void inUse.delete(latest)
  }, [])
}

window.addEventListener('keydown', event => {
  if (isTypingAhead(event)) return event.preventDefault()
  // Some input methods end a word with Escape.
  if (event.isComposing) return
  if (event.key === 'Escape' && isTextField(event.target)) (event.target as HTMLElement).blur()
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
  // Holding a key down counts once.
  if (event.repeat || isTextField(event.target) || isDialogOpen()) return
  if (held.length === 0) return void press(event)
  event.preventDefault()
  if (event.key === 'Escape') held = []
  else held.push(event)
})

/** False if the key has to wait until the page knows what it means. */
function press(event: KeyboardEvent): boolean {
  const key = keyOf(event)
  const act = [...inUse].map(({ current }) => current[key]).find(act => act !== undefined)
  const loading = act ? undefined : [...loadings].at(-1)
  if (loading && verbs.test(key)) {
    event.preventDefault()
    if (loading.current.onEarlyKey) loading.current.onEarlyKey(key)
    else hold(event)
    return loading.current.onEarlyKey !== null
  }
  // Or a field that the shortcut opens would get the letter.
  if (act) event.preventDefault()
  act?.(event)
  return true
}

// A verb that is pressed while the request is loading. If the request is visible and only its verbs are not ready, the key
// waits for them, and the keys after it wait their turn. If it is not visible yet, the key must not decide it: the page says so.

interface Loading {
  readonly onEarlyKey: ((key: string) => void) | null
}

const verbs = /^[0-9acdelrs]$/
const loadings = new Set<{ readonly current: Loading }>()
let held: KeyboardEvent[] = []
let heldOn = ''

/** The verbs of the request are not ready. Without `onEarlyKey`, their keys wait until they are. */
export function useLoadingVerbs(isLoading: boolean, onEarlyKey: Loading['onEarlyKey'] = null): void {
  const latest = useRef({ onEarlyKey })
  latest.current = { onEarlyKey }
  useEffect(() => {
    if (!isLoading) return
    loadings.add(latest)
    return () => {
      loadings.delete(latest)
      // Once the verbs are there, or what loads next.
      queueMicrotask(pressHeld)
    }
  }, [isLoading])
}

function hold(event: KeyboardEvent): void {
  held.push(event)
  heldOn = location.pathname
}

function pressHeld(): void {
  // The person has left the request in another way.
  if (location.pathname !== heldOn) held = []
  const [event, ...rest] = held
  if (!event) return
  held = []
  const isDone = press(event)
  held = [...held, ...rest]
  heldOn = location.pathname
  if (isDone) queueMicrotask(pressHeld)
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open], [data-dialog-loading]') !== null
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
      if (isDialogOpen()) return
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

export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'button', 'submit'].includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}
