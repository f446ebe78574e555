import type { Request } from '../../../src/protocol/request.ts'
import { useNow } from '../components/use-now.ts'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { lineTitle } from '../words/request-title.ts'
import { duration } from '../words/times.ts'
import { t } from '../words/translate.ts'
import { timeCovered } from './run-phases.ts'
import { useSessionRequests } from './use-session-requests.ts'

const shown = 6

/** What else the same session of an agent asked, and how long it waited for people. */
export function SessionRequests({ request, session }: { request: Request; session: string }) {
  useSessionRequests(request, session)
  const { requests } = useHubState()
  const now = useNow()
  const own = [...requests.values()].filter(
    other => other.session === session && other.agent.name === request.agent.name,
  )
  const waited = timeCovered(
    own.map(({ createdAt, settledAt }) => [Date.parse(createdAt), settledAt === null ? now : Date.parse(settledAt)]),
  )
  const others = own.filter(({ id }) => id !== request.id).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  return (
    <aside className="run-aside" aria-label={t('This session')}>
      <h2>{t('This session')}</h2>
      <p className="quiet">{t('asked {count}, waited {time}', { count: own.length, time: duration(waited) })}</p>
      {others.length > 0 && (
        <ul className="session-requests">
          {others.slice(0, shown).map(other => (
            <li key={other.id} className={other.status === 'pending' ? 'pending' : undefined}>
              <Link href={paths.request(other.id)}>
                <UntrustedTitle text={lineTitle(other)} longest={120} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}
