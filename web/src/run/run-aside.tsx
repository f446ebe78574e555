import { useEffect, useSyncExternalStore } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { getRun } from '../api/runs.ts'
import { RunStatusLabel } from '../components/run-status.tsx'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { updateHubState, useHubState } from '../state/hub-state.ts'
import { t } from '../words/translate.ts'
import { LastLines } from './last-lines.tsx'
import { ProjectRequests } from './project-requests.tsx'
import { RunPicture } from './run-picture.tsx'
import { SessionRequests } from './session-requests.tsx'
import './run-aside.css'

/** Beside a request: what its run printed last and did so far; without a run, what else its session asked, or waits in its project. */
export function RunAside({ request }: { request: Request }) {
  // Nothing is read for what a narrow screen does not show.
  const isWide = useSyncExternalStore(subscribe, () => wide.matches)
  if (!isWide) return null
  if (request.run !== null) return <OfRun id={request.run} />
  if (request.session) return <SessionRequests request={request} session={request.session} />
  return request.agent.cwd === '' ? null : <ProjectRequests request={request} />
}

const wide = matchMedia('(min-width: 860px)')

function subscribe(changed: () => void): () => void {
  wide.addEventListener('change', changed)
  return () => wide.removeEventListener('change', changed)
}

function OfRun({ id }: { id: string }) {
  const run = useHubState().runs.get(id)
  useEffect(() => {
    if (!run) getRun(id).then(updateHubState, () => {})
  }, [id, run])
  return (
    <aside className="run-aside" aria-label={t('The run')}>
      <h2>{t('Last lines')}</h2>
      <LastLines run={id} />
      <p className="run-aside-link">
        <Link href={paths.run(id)}>{t('Whole log')}</Link>
      </p>
      {run && (
        <>
          <h2>
            {t('This run')} <RunStatusLabel run={run} />
          </h2>
          <RunPicture run={run} />
        </>
      )}
    </aside>
  )
}
