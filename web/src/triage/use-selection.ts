import { useCallback, useMemo, useRef, useState } from 'react'
import type { InboxRow } from '../../../src/protocol/inbox.ts'

interface Selection {
  readonly ids: ReadonlySet<string>
  readonly rows: readonly InboxRow[]
  toggle(id: string | null): void
  add(ids: readonly (string | null)[]): void
  /** With shift, everything between the last one and this one. */
  select(id: string, isRange: boolean): void
  clear(): void
}

/** The rows that the person selected, as far as they still wait. */
export function useSelection(waiting: readonly InboxRow[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const order = useRef(waiting)
  order.current = waiting
  const rows = useMemo(() => waiting.filter(({ id }) => chosen.has(id)), [waiting, chosen])
  const ids = useMemo(() => new Set(rows.map(({ id }) => id)), [rows])
  const select = useCallback((id: string, isRange: boolean) => {
    const all = order.current.map(row => row.id)
    const [from, to] = [all.indexOf(last.current ?? id), all.indexOf(id)].sort((a, b) => a - b)
    last.current = id
    setChosen(before => {
      const next = new Set(before)
      if (isRange && from !== undefined && from >= 0) for (const one of all.slice(from, (to ?? from) + 1)) next.add(one)
      else if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const add = (ids: readonly (string | null)[]) =>
    setChosen(before => new Set([...before, ...ids.filter(id => id !== null)]))
  const clear = useCallback(() => setChosen(new Set()), [])
  return { ids, rows, select, add, clear, toggle: id => id !== null && select(id, false) }
}
