import { useEffect, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { getRequest } from '../api/requests.ts'
import { loadMarkdown } from '../text/lazy-markdown.tsx'
import { hubState, updateHubState, useHubState } from './hub-state.ts'

const reads = new Map<string, Promise<void>>()

/** A request as a whole, read when it is opened and not before. */
export function useRequest(id: string): { request: Request | undefined; failure: unknown } {
  const { requests, connections } = useHubState()
  const [failed, setFailed] = useState<{ id: string; error: unknown } | null>(null)
  // Whatever went wrong is tried again once the server is back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of connections is the reason to try again
  useEffect(() => {
    let isShown = true
    openRequest(id).then(
      () => isShown && setFailed(null),
      error => isShown && setFailed({ id, error }),
    )
    return () => {
      isShown = false
    }
  }, [id, connections])
  return { request: requests.get(id), failure: failed?.id === id ? failed.error : null }
}

/** Reads a request, once for all who want it at the same time. */
export function openRequest(id: string): Promise<void> {
  if (hubState().requests.has(id)) return Promise.resolve()
  const reading = reads.get(id) ?? read(id).finally(() => reads.delete(id))
  reads.set(id, reading)
  return reading
}

async function read(id: string): Promise<void> {
  // Without Markdown it is shown as plain text, but its content would jump.
  const [request] = await Promise.all([getRequest(id), loadMarkdown().catch(() => {})])
  updateHubState(request)
}
