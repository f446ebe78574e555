import type { RefObject } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { KindMark } from '../components/icons.tsx'
import { SessionName } from '../components/session-name.tsx'
import { Ago } from '../components/time.tsx'
import { Link, paths } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { Deadline } from './deadline.tsx'
import { eyebrow, requestTitle } from './request-title.ts'

/** The title, who asks, from where, since when, and the deadline. */
export function RequestHeader({ request, title }: { request: Request; title: RefObject<HTMLHeadingElement | null> }) {
  const { runs } = useHubState()
  const { agent, run } = request
  const above = eyebrow(request)
  const runName = run === null ? null : (runs.get(run)?.name ?? run)
  return (
    <header className="request-head">
      <h1 ref={title} tabIndex={-1}>
        <KindMark request={request} />
        <span dir="auto">
          {above !== null && (
            <span className="eyebrow">
              <UntrustedTitle text={above} longest={80} />
            </span>
          )}
          <UntrustedTitle text={requestTitle(request)} longest={300} />
        </span>
      </h1>
      <p className="request-about">
        <b>
          {agent.path.length > 1 ? (
            agent.path.map((name, i) => (
              <span key={`${i}`}>
                {i > 0 && ' › '}
                <bdi>
                  <UntrustedTitle text={name} longest={80} />
                </bdi>
              </span>
            ))
          ) : (
            <UntrustedTitle text={agent.name} longest={80} />
          )}
        </b>
        {runName !== null && run !== null && runName !== agent.name && (
          <Link href={paths.run(run)}>
            <UntrustedTitle text={runName} longest={80} />
          </Link>
        )}
        {/* An action shows its own directory. */}
        {!(request.kind === 'approval' && request.action.cwd === agent.cwd) && (
          <code>
            <UntrustedTitle text={agent.cwd} longest={300} />
          </code>
        )}
        {request.session && (
          <span>
            <SessionName session={request.session} />
          </span>
        )}
        <Ago at={request.createdAt} />
        {!request.required && <span className="tag">{t('optional')}</span>}
      </p>
      <Deadline request={request} />
    </header>
  )
}
