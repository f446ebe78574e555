import { go, paths } from '../router.tsx'
import { hubState } from './hub-state.ts'
import { pendingRequests } from './inbox-order.ts'

/** After a decision the next request of the list opens; after the last one, the inbox. */
export function afterDecision(id: string): void {
  const [next] = pendingRequests(hubState().requests).filter(request => request.id !== id)
  go(next ? paths.request(next.id) : paths.inbox)
}
