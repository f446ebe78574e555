import { useEffect, useMemo } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { listRequests } from '../api/requests.ts'
import { updateHubState, useHubState, watchRun } from './hub-state.ts'

const most = 200

/** What a run has asked, the newest first, as it changes. */
export function useRunRequests(run: string): readonly Request[] {
  const { requests, connections } = useHubState()
  useEffect(() => watchRun(run), [run])
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again once the server is back
  useEffect(() => {
    listRequests({ run, status: 'all', order: 'desc', limit: most }).then(
      page => updateHubState(...page.requests),
      () => {},
    )
  }, [run, connections])
  return useMemo(
    () => [...requests.values()].filter(request => request.run === run).sort((a, b) => (a.id < b.id ? 1 : -1)),
    [requests, run],
  )
}
