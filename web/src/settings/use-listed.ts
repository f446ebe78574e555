import { useCallback, useEffect, useState } from 'react'
import { Refusal } from '../api/call.ts'
import { troubleIn } from '../words/trouble.ts'

export interface Listed<T> {
  /** Null until it was read. */
  readonly items: readonly T[] | null
  readonly trouble: string | null
  /** Does something to the list and reads it anew. What is gone already is no trouble. */
  change(act: () => Promise<unknown>): Promise<void>
}

export function useListed<T>(list: () => Promise<T[]>): Listed<T> {
  const [items, setItems] = useState<readonly T[] | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const refresh = useCallback(() => list().then(setItems, error => setTrouble(troubleIn(error))), [list])
  useEffect(() => void refresh(), [refresh])
  return { items, trouble, change }

  async function change(act: () => Promise<unknown>) {
    setTrouble(null)
    await act().catch(error => {
      if (!(error instanceof Refusal && error.status === 404)) setTrouble(troubleIn(error))
    })
    await refresh()
  }
}
