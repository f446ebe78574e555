import { Fragment } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { SessionName } from '../components/session-name.tsx'
import { Ago } from '../components/time.tsx'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { FormattedPhrase } from '../text/formatted-phrase.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { Deadline } from './deadline.tsx'
import './strip.css'

/** Where a request comes from: the agent and its run or session, the machine, the branch, since when, and until when. */
export function Strip({ request }: { request: Request }) {
  const { runs } = useHubState()
  const { agent, run, session } = request
  const names = agent.path.length > 1 ? agent.path : [agent.name]
  const runName = run === null ? null : (runs.get(run)?.name ?? t('run'))
  return (
    <p className="strip">
      <span className="strip-asker">
        {names.map((name, i) => (
          <Fragment key={`${i}`}>
            {i > 0 && ' › '}
            <b>
              <bdi>
                <UntrustedTitle text={name} longest={80} />
              </bdi>
            </b>
          </Fragment>
        ))}
        {run !== null && runName !== null && (
          <>
            {' › '}
            <Link href={paths.run(run)} title={t('The run and its log')}>
              <UntrustedTitle text={runName === agent.name ? t('run') : runName} longest={80} />
            </Link>
          </>
        )}
        {session && (
          <>
            {' › '}
            <SessionName session={session} />
          </>
        )}
      </span>
      <code className="strip-place" title={titleText(placeOf(request), 1_000)}>
        <UntrustedTitle text={placeOf(request)} longest={300} />
      </code>
      {agent.branch !== undefined && agent.branch !== '' && (
        <code title={t('The git branch')}>
          ⎇ <UntrustedTitle text={agent.branch} longest={80} />
        </code>
      )}
      <span>
        <FormattedPhrase phrase="asked {time}" values={{ time: <Ago at={request.createdAt} /> }} />
      </span>
      {!request.required && <span>{t('optional')}</span>}
      {request.status === 'pending' && <Deadline request={request} />}
    </p>
  )
}

/** `user@host:/path`, as in a prompt. Without a machine, the path alone. */
function placeOf({ place, agent }: Request): string {
  if (!place) return agent.cwd
  // Over HTTP nobody knows the machine.
  return `${place.user}${place.host === null ? '' : `@${place.host}`}:${agent.cwd}`
}
