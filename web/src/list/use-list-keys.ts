import { useEffect, useRef } from 'react'
import { useShortcuts } from '../browser/shortcuts.ts'

type Keys = Readonly<Record<string, () => void>>

/** The keys of the list. The last one that is pressed before the list is there acts as soon as it is. */
export function useListKeys(isLoaded: boolean, keys: Keys): void {
  const early = useRef<{ key: string; path: string } | null>(null)
  const note = (key: string) => () => {
    early.current = { key, path: location.pathname }
  }
  useShortcuts(isLoaded ? keys : Object.fromEntries(Object.keys(keys).map(key => [key, note(key)])))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the keys as they are then
  useEffect(() => {
    if (!isLoaded || early.current === null) return
    const { key, path } = early.current
    early.current = null
    // Unless the person has gone elsewhere since.
    if (path === location.pathname) keys[key]?.()
  }, [isLoaded])
}
