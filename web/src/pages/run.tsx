import { useEffect, useState } from 'react'
import type { Run } from '../../../src/protocol/run.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { getRun, type RunVerb, tellRun } from '../api/runs.ts'
import { learn, useKnown } from '../live.ts'
import { SureButton } from '../parts/confirm-button.tsx'
import { Icon, KindMark } from '../parts/icons.tsx'
import { RunState } from '../parts/run-state.tsx'
import { Ago, When } from '../parts/time.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Link, paths } from '../router.tsx'
import { Checkpoints } from '../run/checkpoints.tsx'
import { LogView } from '../run/log-view.tsx'
import { Timeline } from '../run/timeline.tsx'
import { Said, SaidTitle } from '../text/untrusted-text.tsx'
import { pendingOf } from '../waiting.ts'
import { kindName } from '../words/names.ts'
import { troubleIn } from '../words/trouble.ts'
import { t } from '../words/words.ts'

/** One run: how it is, what it waits for, what it writes, what happened. */
export default function RunPage({ id }: { id: string }) {
  const { runs, requests } = useKnown()
  const run = runs.get(id)
  const [trouble, setTrouble] = useState<string | null>(null)
  useEffect(() => {
    getRun(id).then(learn, error => setTrouble(troubleIn(error)))
  }, [id])
  if (!run) return <div className="page">{trouble ? <h1>{trouble}</h1> : <output>{t('Loading…')}</output>}</div>
  const open = pendingOf(requests).filter(request => request.run === id)
  return (
    <div className="page wide-page">
      <p className="crumbs">
        <Link href={paths.runs} className="back">
          <Icon name="back" />
          {t('Runs')}
        </Link>
      </p>
      <header className="run-head">
        <h1>
          <SaidTitle text={run.name} longest={200} /> <RunState run={run} />
        </h1>
        <Controls run={run} />
      </header>
      <About run={run} />
      {open.length > 0 && (
        <section className="waits-for">
          <h2>{t('It waits for')}</h2>
          <ul>
            {open.map(request => (
              <li key={request.id}>
                <Link href={paths.request(request.id)} className="row">
                  <KindMark request={request} />
                  <span className="row-text">
                    <span className="row-title">
                      <SaidTitle text={titleOf(request)} longest={200} />
                    </span>
                    <span className="row-about">
                      <span>{kindName(request)}</span>
                      <Ago at={request.createdAt} />
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="run-columns">
        <LogView run={id} />
        <div className="run-side">
          <section>
            <h2>{t('What happened')}</h2>
            <Timeline run={run} />
          </section>
          <section>
            <h2>{t('Checkpoints')}</h2>
            <Checkpoints run={id} version={`${run.status} ${open.length}`} />
          </section>
        </div>
      </div>
    </div>
  )
}

function About({ run }: { run: Run }) {
  return (
    <dl className="about">
      <div>
        <dt>{t('Command')}</dt>
        <dd>
          <code>
            <SaidTitle text={run.command.join(' ')} longest={160} />
          </code>
        </dd>
      </div>
      <div>
        <dt>{t('Where')}</dt>
        <dd>
          <code>
            <Said text={`${run.host}:${run.cwd}`} />
          </code>
        </dd>
      </div>
      <div>
        <dt>{t('Started')}</dt>
        <dd>
          <When at={run.startedAt} />
        </dd>
      </div>
      {run.endedAt !== null && (
        <div>
          <dt>{t('Ended')}</dt>
          <dd>
            <When at={run.endedAt} /> {run.exitCode !== null && `(${t('exit code {code}', { code: run.exitCode })})`}
          </dd>
        </div>
      )}
    </dl>
  )
}

function Controls({ run }: { run: Run }) {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  if (run.endedAt !== null) return null
  const isPaused = run.status === 'paused'
  return (
    <div className="row-of-buttons">
      <button type="button" disabled={busy} onClick={() => tell(isPaused ? 'resume' : 'pause')}>
        {isPaused ? t('Resume') : t('Pause')}
      </button>
      <SureButton label={t('Stop…')} sureLabel={t('Stop it for good')} busy={busy} onSure={() => void tell('stop')} />
      <Trouble text={trouble} />
    </div>
  )

  async function tell(verb: RunVerb) {
    setBusy(true)
    setTrouble(null)
    await tellRun(run.id, verb).then(
      changed => learn(changed),
      error => setTrouble(troubleIn(error)),
    )
    setBusy(false)
  }
}
