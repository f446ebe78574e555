import { type ReactNode, startTransition, useEffect, useState } from 'react'

// About two screens at once, the rest while the person already reads.
const step = 200

/** Thousands of rows, drawn a few at a time: keys and clicks are heard in between. */
export function Growing({ total, children }: { total: number; children: (at: number) => ReactNode }) {
  const [shown, setShown] = useState(step)
  useEffect(() => {
    if (shown >= total) return
    const next = requestAnimationFrame(() => startTransition(() => setShown(shown + step)))
    return () => cancelAnimationFrame(next)
  }, [shown, total])
  return Array.from({ length: Math.min(shown, total) }, (_, at) => children(at))
}
