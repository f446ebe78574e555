import { useEffect, useState } from 'react'
import type { Event } from '../../../src/protocol/event.ts'
import { listEvents } from '../api/runs.ts'
import { lastEventSeen, onEvent } from '../live.ts'

const lookBack = 5_000
const page = 1_000

/** The events of a run: those of the last while, and whatever comes. */
export function useRunEvents(run: string): readonly Event[] {
  const [events, setEvents] = useState<readonly Event[]>([])
  useEffect(() => {
    let over = false
    const add = (found: Event[]) => {
      const own = found.filter(event => event.run === run)
      if (over || own.length === 0) return
      setEvents(before => [...before.filter(({ id }) => !own.some(event => event.id === id)), ...own])
    }
    void lookBackAt(add, () => over)
    const stop = onEvent(event => add([event]))
    return () => {
      over = true
      stop()
    }
  }, [run])
  return events
}

async function lookBackAt(add: (found: Event[]) => void, isOver: () => boolean): Promise<void> {
  const end = lastEventSeen()
  for (let since = Math.max(0, end - lookBack); since < end && !isOver(); ) {
    const { events } = await listEvents(since, page).catch(() => ({ events: [] }))
    add(events)
    const last = events.at(-1)?.id
    if (last === undefined) return
    since = last
  }
}
