import { useEffect } from 'react'
import { listRequests } from '../api/requests.ts'
import { updateHubState } from '../state/hub-state.ts'

const most = 200

/** Reads what a run has asked so far into the page's copy of the hub. New requests arrive there by themselves. */
export function useRunRequests(run: string): void {
  useEffect(() => {
    listRequests({ run, status: 'all', order: 'desc', limit: most }).then(
      page => updateHubState(...page.requests),
      () => {},
    )
  }, [run])
}
