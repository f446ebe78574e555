import { useMemo, useSyncExternalStore } from 'react'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { useSideBySide } from '../browser/media.ts'

interface Heights {
  readonly row: number
  readonly fold: number
  readonly tops: readonly number[]
  readonly total: number
}

/** Every row has one of two heights, so that their places are known without drawing them. They follow the font's size. */
export function useHeights(rows: readonly InboxRow[]): Heights {
  const isSideBySide = useSideBySide()
  const rem = useSyncExternalStore(
    () => () => {},
    () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  )
  const row = Math.round(rem * (isSideBySide ? 3.15 : 3.75))
  const fold = Math.round(rem * (isSideBySide ? 2 : 2.75))
  return useMemo(() => {
    let total = 0
    const tops = rows.map(({ folded }) => {
      const top = total
      total += row + (folded > 0 ? fold : 0)
      return top
    })
    return { row, fold, tops, total }
  }, [rows, row, fold])
}
