import { useEffect, useState } from 'react'
import type { Run } from '../../../src/protocol/run.ts'
import { listRuns } from '../api/runs.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { RunStatusLabel } from '../components/run-status.tsx'
import { Ago } from '../components/time.tsx'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { updateHubState, useHubState } from '../state/hub-state.ts'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { errorText } from '../words/error-text.ts'
import { reasonText } from '../words/names.ts'
import { t } from '../words/translate.ts'
import './runs.css'

export default function Runs() {
  const { runs, isLoaded, connections } = useHubState()
  const [failure, setFailure] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again once the server is back
  useEffect(() => {
    listRuns(200).then(
      found => {
        setFailure(null)
        updateHubState(...found)
      },
      error => setFailure(errorText(error)),
    )
  }, [connections])
  const all = [...runs.values()].sort((a, b) => activity(b) - activity(a) || (a.startedAt < b.startedAt ? 1 : -1))
  return (
    <div className="page">
      <h1>{t('Runs')}</h1>
      <ErrorMessage text={failure} wide />
      {isLoaded && all.length === 0 && (
        <div className="empty">
          <p className="empty-title">{t('No runs yet')}</p>
          <p>{t('Start an agent with Beckon:')}</p>
          <pre>
            <code>npx beckon run -- your-agent</code>
          </pre>
        </div>
      )}
      <ul className="cards">
        {all.map(run => (
          <li key={run.id}>
            <RunCard run={run} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function RunCard({ run }: { run: Run }) {
  return (
    <Link href={paths.run(run.id)} className="card">
      <span className="card-head">
        <span className="card-title">
          <UntrustedTitle text={run.name} longest={100} />
        </span>
        <RunStatusLabel run={run} />
      </span>
      {run.blockedReason !== null && run.endedAt === null && (
        <span className="blocked" dir="auto">
          <UntrustedTitle text={run.blockedReason} longest={200} />
        </span>
      )}
      {run.reason !== null && (
        <span className={`run-reason reason-${run.status}`} dir="auto">
          <UntrustedTitle text={reasonText(run.reason)} longest={200} />
        </span>
      )}
      <span className="card-about">
        <code>
          <UntrustedTitle text={run.command.join(' ')} longest={120} />
        </code>
        <span>
          <UntrustedTitle text={run.host} longest={60} />
        </span>
        <Ago at={run.endedAt ?? run.startedAt} />
      </span>
    </Link>
  )
}

/** Waiting runs first, then running ones, then ended ones. */
function activity({ waiting, endedAt }: Run): number {
  if (endedAt !== null) return 0
  return waiting.length > 0 ? 2 : 1
}
