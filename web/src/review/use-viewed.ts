import { useMemo, useState } from 'react'

// Which files a person has looked through. It is a note to themselves, so it stays in their browser.

const key = 'beckon-viewed'
const mostReviews = 50

export interface Viewed {
  has(path: string): boolean
  set(path: string, viewed: boolean): void
}

export function useViewed(request: string): Viewed {
  const [paths, setPaths] = useState<ReadonlySet<string>>(() => new Set(load()[request]))
  return useMemo(
    () => ({
      has: path => paths.has(path),
      set(path, viewed) {
        const next = new Set(paths)
        if (viewed) next.add(path)
        else next.delete(path)
        setPaths(next)
        save(request, [...next])
      },
    }),
    [paths, request],
  )
}

function save(request: string, paths: string[]): void {
  const { [request]: _, ...others } = load()
  const kept = [...Object.entries(others), [request, paths] as const].slice(-mostReviews)
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // A full or forbidden storage only means that the marks end with the page.
  }
}

function load(): Record<string, string[]> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, string[]>) : {}
  } catch {
    return {}
  }
}
