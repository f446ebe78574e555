import { useEffect, useState } from 'react'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { type InboxState, useInbox } from '../state/inbox.ts'
import type { View } from '../state/view.ts'

interface StableRows {
  readonly rows: readonly InboxRow[]
  /** How many came since, and are not shown yet. */
  readonly newCount: number
  showNew(): void
}

/** What the list shows while a person is using it: rows keep their places, settled ones stay, new ones are only counted. */
export function useStableRows(inUse: boolean): StableRows {
  const inbox = useInbox()
  const [kept, setKept] = useState<{ view: View; rows: readonly InboxRow[] } | null>(null)
  // Where there is no row, none can move.
  const isKept = inUse && kept !== null && kept.view === inbox.view && kept.rows.length > 0
  const shown = isKept ? keepPlaces(kept.rows, inbox) : { rows: inbox.rows, newCount: 0 }
  const isLonger = isKept && shown.rows.length > kept.rows.length
  useEffect(() => {
    if (inbox.isLoaded && (!isKept || isLonger)) setKept({ view: inbox.view, rows: shown.rows })
  }, [inbox.isLoaded, inbox.view, isKept, isLonger, shown.rows])
  return { ...shown, showNew: () => setKept({ view: inbox.view, rows: inbox.rows }) }
}

/** The rows that were there, as they are now, and below them what was read since the person scrolled on. */
function keepPlaces(
  kept: readonly InboxRow[],
  { rows, hidden }: Pick<InboxState, 'rows' | 'hidden'>,
): { rows: readonly InboxRow[]; newCount: number } {
  const current = new Map(rows.map(row => [row.id, row]))
  const places = new Set(kept.map(({ id }) => id))
  const lastKept = rows.findLastIndex(({ id }) => places.has(id))
  const isNew = ({ id }: InboxRow) => !places.has(id)
  const below = lastKept < 0 ? [] : rows.slice(lastKept + 1)
  return {
    rows: [...kept.filter(({ id }) => !hidden.has(id)).map(row => current.get(row.id) ?? row), ...below],
    newCount: (lastKept < 0 ? rows : rows.slice(0, lastKept)).filter(isNew).length,
  }
}
