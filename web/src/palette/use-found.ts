import { useEffect, useState } from 'react'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { readInbox } from '../api/inbox.ts'

const most = 8
const pauseInTyping = 120

/** The requests that the hub finds for a text, a moment after the person has stopped typing. */
export function useFound(search: string): readonly InboxRow[] {
  const [found, setFound] = useState<readonly InboxRow[]>([])
  const text = search.trim()
  useEffect(() => {
    if (text === '') return setFound([])
    const asked = new AbortController()
    const timer = setTimeout(() => {
      readInbox({ search: text, limit: most }, asked.signal).then(
        inbox => setFound(inbox.rows),
        // The next letter has asked again, or the page says elsewhere that the server is away.
        () => {},
      )
    }, pauseInTyping)
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [text])
  return found
}
