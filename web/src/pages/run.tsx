import { useEffect, useState } from 'react'
import type { Run } from '../../../src/protocol/run.ts'
import { Refusal } from '../api/call.ts'
import { getRun, type RunVerb, tellRun } from '../api/runs.ts'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Icon, KindMark } from '../components/icons.tsx'
import { RunStatusLabel } from '../components/run-status.tsx'
import { Ago, When } from '../components/time.tsx'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { Checkpoints } from '../run/checkpoints.tsx'
import { LogView } from '../run/log-view.tsx'
import { RunPicture } from '../run/run-picture.tsx'
import { Timeline } from '../run/timeline.tsx'
import { updateHubState, useHubState } from '../state/hub-state.ts'
import { useRunRequests } from '../state/run-requests.ts'
import { UntrustedText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { errorText } from '../words/error-text.ts'
import { kindName, reasonText } from '../words/names.ts'
import { lineTitle } from '../words/request-title.ts'
import { t } from '../words/translate.ts'
import './run.css'
import '../components/row.css'

/** One run: its status, the requests it waits for, its log and its timeline. */
export default function RunPage({ id }: { id: string }) {
  const { runs, connections } = useHubState()
  const requests = useRunRequests(id)
  const run = runs.get(id)
  const [failure, setFailure] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again once the server is back
  useEffect(() => {
    getRun(id).then(updateHubState, error => setFailure(loadErrorText(error)))
  }, [id, connections])
  if (!run) return <div className="page">{failure ? <h1>{failure}</h1> : <output>{t('Loading…')}</output>}</div>
  const open = requests.filter(({ status }) => status === 'pending')
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
          <UntrustedTitle text={run.name} longest={200} /> <RunStatusLabel run={run} />
        </h1>
        <Controls run={run} />
      </header>
      <RunFacts run={run} />
      <RunPicture run={run} />
      {open.length > 0 && (
        <section className="run-requests">
          <h2>{t('Waiting for you')}</h2>
          <ul>
            {open.map(request => (
              <li key={request.id}>
                <Link href={paths.request(request.id)} className="row">
                  <KindMark request={request} />
                  <span className="row-text">
                    <span className="row-title">
                      <UntrustedTitle text={lineTitle(request)} longest={200} />
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
            <h2>{t('Timeline')}</h2>
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

function RunFacts({ run }: { run: Run }) {
  return (
    <dl className="about">
      <div>
        <dt>{t('Command')}</dt>
        <dd>
          <code>
            <UntrustedTitle text={run.command.join(' ')} longest={160} />
          </code>
        </dd>
      </div>
      <div>
        <dt>{t('Location')}</dt>
        <dd>
          <code>
            <UntrustedText text={`${run.host}:${run.cwd}`} />
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
      {run.reason !== null && (
        <div>
          <dt>{t('Reason')}</dt>
          <dd dir="auto">
            <UntrustedTitle text={reasonText(run.reason)} longest={1_000} />
          </dd>
        </div>
      )}
    </dl>
  )
}

function loadErrorText(error: unknown): string {
  if (error instanceof Refusal && error.status === 404) return t('This run does not exist.')
  return errorText(error)
}

function Controls({ run }: { run: Run }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  if (run.endedAt !== null) return null
  const isPaused = run.status === 'paused'
  return (
    <div className="button-row">
      <button type="button" disabled={busy} onClick={() => control(isPaused ? 'resume' : 'pause')}>
        {isPaused ? t('Resume') : t('Pause')}
      </button>
      <ConfirmButton
        label={t('Stop…')}
        confirmLabel={t('Stop run')}
        busy={busy}
        onConfirm={() => void control('stop')}
      />
      <ErrorMessage text={failure} />
    </div>
  )

  async function control(verb: RunVerb) {
    setBusy(true)
    setFailure(null)
    await tellRun(run.id, verb).then(
      changed => updateHubState(changed),
      error => setFailure(errorText(error)),
    )
    setBusy(false)
  }
}
