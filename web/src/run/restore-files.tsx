import { startTransition, useActionState, useState } from 'react'
import type { RestoredFiles, RestorePlan } from '../../../src/protocol/checkpoint.ts'
import { planRestore, restoreFiles } from '../api/runs.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { FormattedPhrase } from '../text/formatted-phrase.tsx'
import { UntrustedText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'
import './restore-files.css'

interface State {
  readonly plan: RestorePlan | null
  readonly done: RestoredFiles | null
  readonly failure: string | null
}

const closed: State = { plan: null, done: null, failure: null }

/** A button that says first what restoring a checkpoint would undo, and does it after a second press. */
export function RestoreFiles({ checkpoint, label }: { checkpoint: string; label: string }) {
  const [state, dispatch, isBusy] = useActionState(step, closed)
  const [isAsking, setAsking] = useState(false)
  const { plan, done, failure } = state
  return (
    <div className="restore-files">
      {!plan && !done && (
        <button type="button" disabled={isBusy} onClick={() => act('plan')}>
          {label}
        </button>
      )}
      {plan && !done && (
        <section aria-label={label} ref={scrollIntoView}>
          <Consequences plan={plan} />
          {plan.here && plan.refused === null && plan.files > 0 ? (
            <div className="button-row">
              <button
                type="button"
                className={isAsking ? 'bad' : undefined}
                disabled={isBusy}
                onClick={() => (isAsking ? act('restore') : setAsking(true))}
              >
                {isAsking ? t('Yes, restore the files') : t('Restore the files…')}
              </button>
              <button type="button" className="quiet-button" onClick={close}>
                {t('Cancel')}
              </button>
            </div>
          ) : (
            <button type="button" className="quiet-button" onClick={close}>
              {t('Close')}
            </button>
          )}
        </section>
      )}
      {done && <Done done={done} />}
      <ErrorMessage text={failure} />
    </div>
  )

  function act(what: 'plan' | 'restore' | 'close') {
    startTransition(() => dispatch(what))
  }

  function close() {
    setAsking(false)
    act('close')
  }

  async function step(before: State, what: 'plan' | 'restore' | 'close'): Promise<State> {
    try {
      if (what === 'close') return closed
      if (what === 'plan') return { ...closed, plan: await planRestore(checkpoint) }
      return { ...closed, done: await restoreFiles(checkpoint, true) }
    } catch (error) {
      return { ...before, failure: errorText(error) }
    }
  }
}

/** It is longer than the button that it replaces. */
function scrollIntoView(section: HTMLElement | null): void {
  section?.scrollIntoView({ block: 'nearest' })
}

function Consequences({ plan }: { plan: RestorePlan }) {
  const { here, host, command, files, restored, removed, commits, refused } = plan
  if (!here) {
    return (
      <>
        <p>
          <FormattedPhrase
            phrase="The files are on {host}. Run this there:"
            values={{
              host: (
                <b key="host">
                  <UntrustedTitle text={host} longest={100} />
                </b>
              ),
            }}
          />
        </p>
        <Command text={command} />
      </>
    )
  }
  if (refused !== null) {
    return (
      <p className="notice">
        <UntrustedText text={refused} />
      </p>
    )
  }
  if (files === 0) return <p>{t('The files are already as they were then.')}</p>
  return (
    <>
      <Names title={t('Back to how they were ({count})', { count: files - removed.length })} names={restored} />
      <Names title={t('Removed ({count})', { count: removed.length })} names={removed} />
      {commits.length > 0 && (
        <>
          <p>{t('Commits made since stay on the branch; the files no longer match them:')}</p>
          <ul className="restore-names">
            {commits.map(({ id, title }) => (
              <li key={id}>
                <code>
                  <UntrustedText text={id} />
                </code>{' '}
                <UntrustedTitle text={title} longest={120} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="quiet">{t('The files as they are now become a checkpoint first, so this can be undone.')}</p>
    </>
  )
}

const shown = 12

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <>
      <p>{title}</p>
      <ul className="restore-names">
        {names.slice(0, shown).map(name => (
          <li key={name}>
            <code>
              <UntrustedText text={name} />
            </code>
          </li>
        ))}
        {names.length > shown && <li className="quiet">{t('and {count} more', { count: names.length - shown })}</li>}
      </ul>
    </>
  )
}

function Done({ done }: { done: RestoredFiles }) {
  return (
    <output>
      <p>{t('The files are as they were then.')}</p>
      {done.undo !== null && (
        <>
          <p className="quiet">{t('To undo this, run')}</p>
          <Command text={`beckon restore ${done.undo}`} />
        </>
      )}
    </output>
  )
}

function Command({ text }: { text: string }) {
  return (
    <p className="restore-command">
      <code>
        <UntrustedText text={text} />
      </code>
      <CopyButton text={text} />
    </p>
  )
}
