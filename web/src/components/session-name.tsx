import type { Request } from '../../../src/protocol/request.ts'
import { shortSessions } from '../../../src/rules/asker.ts'
import { useHubState } from '../state/hub-state.ts'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'

/** "session 3f2a": as much of a session's name as tells it apart from the others; the whole name as a tooltip. */
export function SessionName({ session }: { session: string }) {
  const { requests } = useHubState()
  return (
    <span title={titleText(session, 200)}>
      <UntrustedTitle text={t('session {session}', { session: shortIn(requests)(session) })} longest={60} />
    </span>
  )
}

// Worked out once for all that are shown.
const known = new WeakMap<ReadonlyMap<string, Request>, (session: string) => string>()

function shortIn(requests: ReadonlyMap<string, Request>): (session: string) => string {
  const found = known.get(requests) ?? shortSessions(Array.from(requests.values(), ({ session }) => session))
  known.set(requests, found)
  return found
}
