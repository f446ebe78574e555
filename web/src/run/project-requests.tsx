import { useEffect, useState } from 'react'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { projectOf } from '../../../src/rules/asker.ts'
import { readInbox } from '../api/inbox.ts'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { withoutMarkdown } from '../text/without-markdown.ts'
import { t } from '../words/translate.ts'

const shown = 6

/** What else waits in the same project. */
export function ProjectRequests({ request }: { request: Request }) {
  const { id } = request
  const project = request.agent.cwd
  const [rows, setRows] = useState<readonly InboxRow[]>([])
  useEffect(() => {
    const reading = new AbortController()
    readInbox({ project, limit: shown + 1 }, reading.signal).then(
      inbox => setRows(inbox.rows.filter(row => row.id !== id).slice(0, shown)),
      () => {},
    )
    return () => reading.abort()
  }, [id, project])
  const { requests } = useHubState()
  const waiting = rows.filter(row => (requests.get(row.id)?.status ?? 'pending') === 'pending')
  if (waiting.length === 0) return null
  const label = t('Also waiting in {project}', { project: titleText(projectOf(project), 60) })
  return (
    <aside className="run-aside" aria-label={label}>
      <h2>{label}</h2>
      <ul className="session-requests">
        {waiting.map(row => (
          <li key={row.id}>
            <Link href={paths.request(row.id)}>
              <UntrustedTitle text={row.kind === 'approval' ? row.title : withoutMarkdown(row.title)} longest={120} />
            </Link>
          </li>
        ))}
      </ul>
    </aside>
  )
}
