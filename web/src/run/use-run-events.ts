import { useEffect, useState } from 'react'
import type { Event } from '../../../src/protocol/event.ts'
import { listEvents } from '../api/runs.ts'
import { lastEventSeen, onEvent } from '../state/hub-state.ts'

const lookBack = 5_000
const pageSize = 1_000

/** The recent events of a run, and new ones as they happen. */
export function useRunEvents(run: string): readonly Event[] {
  const [events, setEvents] = useState<readonly Event[]>([])
  useEffect(() => {
    let isOver = false
    const add = (found: Event[]) => {
      const own = found.filter(event => event.run === run)
      if (isOver || own.length === 0) return
      setEvents(before => [...before.filter(({ id }) => !own.some(event => event.id === id)), ...own])
    }
    void loadRecent(add, () => isOver)
    const stop = onEvent(event => add([event]))
    return () => {
      isOver = true
      stop()
    }
  }, [run])
  return events
}

async function loadRecent(add: (found: Event[]) => void, isOver: () => boolean): Promise<void> {
  const end = lastEventSeen()
  for (let since = Math.max(0, end - lookBack); since < end && !isOver(); ) {
    const { events } = await listEvents(since, pageSize).catch(() => ({ events: [] }))
    add(events)
    const last = events.at(-1)?.id
    if (last === undefined) return
    since = last
  }
}
