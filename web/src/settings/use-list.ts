import { useCallback, useEffect, useState } from 'react'
import { Refusal } from '../api/call.ts'
import { errorText } from '../words/error-text.ts'

export interface ListState<T> {
  /** Null until the list is loaded. */
  readonly items: readonly T[] | null
  readonly failure: string | null
  /** Changes an item and reloads the list. An item that is already gone is not an error. */
  change(act: () => Promise<unknown>): Promise<void>
}

export function useList<T>(list: () => Promise<T[]>): ListState<T> {
  const [items, setItems] = useState<readonly T[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const refresh = useCallback(() => list().then(setItems, error => setFailure(errorText(error))), [list])
  useEffect(() => void refresh(), [refresh])
  return { items, failure, change }

  async function change(act: () => Promise<unknown>) {
    setFailure(null)
    await act().catch(error => {
      if (!(error instanceof Refusal && error.status === 404)) setFailure(errorText(error))
    })
    await refresh()
  }
}
