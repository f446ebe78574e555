import { useEffect, useState } from 'react'
import type { Run } from '../../../src/protocol/run.ts'
import { listRuns } from '../api/runs.ts'
import { learn, useKnown } from '../live.ts'
import { RunState } from '../parts/run-state.tsx'
import { Ago } from '../parts/time.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Link, paths } from '../router.tsx'
import { SaidTitle } from '../text/untrusted-text.tsx'
import { troubleIn } from '../words/trouble.ts'
import { t } from '../words/words.ts'

export default function Runs() {
  const { runs, isLoaded } = useKnown()
  const [trouble, setTrouble] = useState<string | null>(null)
  useEffect(() => {
    listRuns(200).then(
      found => learn(...found),
      error => setTrouble(troubleIn(error)),
    )
  }, [])
  const all = [...runs.values()].sort((a, b) => activity(b) - activity(a) || (a.startedAt < b.startedAt ? 1 : -1))
  return (
    <div className="page">
      <h1>{t('Runs')}</h1>
      <Trouble text={trouble} wide />
      {isLoaded && all.length === 0 && (
        <div className="empty">
          <p className="empty-title">{t('No agent has run yet.')}</p>
          <p>{t('Beckon looks after any agent that is started like this:')}</p>
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
          <SaidTitle text={run.name} longest={100} />
        </span>
        <RunState run={run} />
      </span>
      {run.blockedReason !== null && run.endedAt === null && (
        <span className="blocked" dir="auto">
          <SaidTitle text={run.blockedReason} longest={200} />
        </span>
      )}
      <span className="card-about">
        <code>
          <SaidTitle text={run.command.join(' ')} longest={120} />
        </code>
        <span>
          <SaidTitle text={run.host} longest={60} />
        </span>
        <Ago at={run.endedAt ?? run.startedAt} />
      </span>
    </Link>
  )
}

/** What waits first, then what goes on, then what is over. */
function activity({ waiting, endedAt }: Run): number {
  if (endedAt !== null) return 0
  return waiting.length > 0 ? 2 : 1
}
