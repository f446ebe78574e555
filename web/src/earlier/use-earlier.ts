import { useEffect, useState } from 'react'
import type { Earlier } from '../../../src/protocol/earlier.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { call } from '../api/call.ts'

/** What people answered when the same was asked before; null until that is known, and where it cannot be. */
export function useEarlier({ id, kind, status, messages }: Request): Earlier | null {
  const [found, setFound] = useState<{ id: string; earlier: Earlier } | null>(null)
  const isAsked = kind === 'question' && status === 'pending'
  // Where messages came, an answer rests on them and cannot become a rule any more.
  const count = messages.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: again with every message
  useEffect(() => {
    if (!isAsked) return
    const gone = new AbortController()
    call('earlier', [id], { signal: gone.signal }).then(
      earlier => setFound({ id, earlier }),
      // The request can be answered without it.
      () => {},
    )
    return () => gone.abort()
  }, [id, isAsked, count])
  return isAsked && found?.id === id ? found.earlier : null
}
