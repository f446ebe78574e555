import type { RefObject } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { useKnown } from '../live.ts'
import { KindMark } from '../parts/icons.tsx'
import { Ago } from '../parts/time.tsx'
import { Link, paths } from '../router.tsx'
import { SaidTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'
import { Deadline } from './deadline.tsx'
import { eyebrow, headline } from './headline.ts'

/** Who asks, from where, since when and for how long. */
export function RequestHead({ request, title }: { request: Request; title: RefObject<HTMLHeadingElement | null> }) {
  const { runs } = useKnown()
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
              <SaidTitle text={above} longest={80} />
            </span>
          )}
          <SaidTitle text={headline(request)} longest={300} />
        </span>
      </h1>
      <p className="request-about">
        <b>
          {agent.path.length > 1 ? (
            agent.path.map((name, i) => (
              <span key={`${i}`}>
                {i > 0 && ' › '}
                <bdi>
                  <SaidTitle text={name} longest={80} />
                </bdi>
              </span>
            ))
          ) : (
            <SaidTitle text={agent.name} longest={80} />
          )}
        </b>
        {runName !== null && run !== null && runName !== agent.name && (
          <Link href={paths.run(run)}>
            <SaidTitle text={runName} longest={80} />
          </Link>
        )}
        {/* An action says itself where it would run. */}
        {!(request.kind === 'approval' && request.action.cwd === agent.cwd) && (
          <code>
            <SaidTitle text={agent.cwd} longest={300} />
          </code>
        )}
        <Ago at={request.createdAt} />
        {!request.required && <span className="tag">{t('optional')}</span>}
      </p>
      {request.deadline !== null && request.status === 'pending' && (
        <Deadline request={request} at={request.deadline} />
      )}
    </header>
  )
}
