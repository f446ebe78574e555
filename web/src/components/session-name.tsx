import type { InboxRow } from '../../../src/protocol/inbox.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { shortSessions } from '../../../src/rules/asker.ts'
import { useHubState } from '../state/hub-state.ts'
import { useInbox } from '../state/inbox.ts'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'

/** "session 3f2a": as much of a session's name as tells it apart from the others; the whole name as a tooltip. */
export function SessionName({ session }: { session: string }) {
  const { requests } = useHubState()
  const { rows } = useInbox()
  return (
    <span title={titleText(session, 200)}>
      <UntrustedTitle text={t('session {session}', { session: shortIn(requests, rows)(session) })} longest={60} />
    </span>
  )
}

// Worked out once for all that are shown.
let known: { requests: unknown; rows: unknown; short: (session: string) => string } | null = null

function shortIn(requests: ReadonlyMap<string, Request>, rows: readonly InboxRow[]): (session: string) => string {
  if (known?.requests === requests && known.rows === rows) return known.short
  const sessions = [...Array.from(requests.values(), ({ session }) => session), ...rows.map(({ session }) => session)]
  known = { requests, rows, short: shortSessions(sessions) }
  return known.short
}
