import { useSyncExternalStore } from 'react'

/** From here on the list and a request are side by side. The style sheets use the same widths. */
const sideBySide = matchMedia('(min-width: 700px)')

export function isSideBySide(): boolean {
  return sideBySide.matches
}

export function useSideBySide(): boolean {
  return useSyncExternalStore(subscribe, isSideBySide)
}

function subscribe(changed: () => void): () => void {
  sideBySide.addEventListener('change', changed)
  return () => sideBySide.removeEventListener('change', changed)
}
