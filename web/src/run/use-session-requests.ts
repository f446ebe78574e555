import { useEffect } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { listRequests } from '../api/requests.ts'
import { updateHubState } from '../state/hub-state.ts'

const most = 50

/** Reads the latest requests that name this session into the page's copy of the hub. */
export function useSessionRequests({ id }: Pick<Request, 'id'>, session: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again for another request
  useEffect(() => {
    listRequests({ session, status: 'all', order: 'desc', limit: most }).then(
      page => updateHubState(...page.requests),
      () => {},
    )
  }, [session, id])
}
