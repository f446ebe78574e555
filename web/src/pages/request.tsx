import { useEffect, useRef, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { Refusal } from '../api/call.ts'
import { getRequest } from '../api/requests.ts'
import type { Session } from '../api/session.ts'
import { Attachments } from '../attachments/attachments.tsx'
import { useShortcuts } from '../browser/shortcuts.ts'
import { Collapsible } from '../components/collapsible.tsx'
import { Icon } from '../components/icons.tsx'
import { ApprovalForm } from '../request/approval-form.tsx'
import { OutcomeView } from '../request/outcome.tsx'
import { RequestDetails } from '../request/request-details.tsx'
import { RequestForm } from '../request/request-form.tsx'
import { RequestHeader } from '../request/request-header.tsx'
import { cameFrom, go, Link, paths } from '../router.tsx'
import { updateHubState, useHubState } from '../state/hub-state.ts'
import { Markdown } from '../text/lazy-markdown.tsx'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'

/** One request: who asks for what, and either the form to answer it or its outcome. */
export function RequestPage({ id, session }: { id: string; session: Session }) {
  const { requests, phase, isLoaded } = useHubState()
  const request = requests.get(id)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    // Wait for the list first: it usually contains the request.
    if (request || !isLoaded || phase === 'lost') return
    getRequest(id).then(updateHubState, error => setFailure(loadErrorText(error)))
  }, [id, request, isLoaded, phase])
  const [back] = useState(() => cameFrom() ?? paths.inbox)
  useShortcuts({ Escape: () => go(back) })

  return (
    <article className="request">
      <p className={`crumbs ${back === paths.inbox ? '' : 'elsewhere'}`}>
        <Link href={back} className="back">
          <Icon name="back" />
          {sectionName(back)}
        </Link>
      </p>
      {request ? (
        <RequestBody request={request} session={session} />
      ) : failure ? (
        <div className="request-body">
          <h1>{failure}</h1>
        </div>
      ) : (
        <output className="loading-screen">{t('Loading…')}</output>
      )}
    </article>
  )
}

function sectionName(path: string): string {
  if (path === paths.inbox) return t('Inbox')
  return path.startsWith(paths.history) ? t('History') : t('Runs')
}

function RequestBody({ request, session }: { request: Request; session: Session }) {
  const mayAnswer = ['answer', 'admin'].includes(session.scope)
  // The outcome takes the focus only if it replaces the form.
  const wasPending = useRef(request.status === 'pending')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const hasFocus = title.current?.closest('.request')?.contains(document.activeElement)
    if (!hasFocus) title.current?.focus({ preventScroll: true })
  }, [])
  const isPending = request.status === 'pending'
  const intro = (
    <>
      <RequestHeader request={request} title={title} />
      {request.context !== null && request.context.trim() !== '' && (
        <section className="context" aria-label={t('Context')}>
          <Collapsible isOpen={request.kind === 'approval' || request.kind === 'review'}>
            <Markdown source={request.context} />
          </Collapsible>
        </section>
      )}
      <Attachments request={request} />
    </>
  )
  if (!isPending || !mayAnswer) {
    return (
      <div className="request-body">
        {intro}
        <RequestDetails request={request} />
        {!isPending && <OutcomeView request={request} isNew={wasPending.current} user={session.user} />}
      </div>
    )
  }
  return request.kind === 'approval' ? (
    <ApprovalForm request={request}>{intro}</ApprovalForm>
  ) : (
    <RequestForm request={request}>
      {intro}
      <RequestDetails request={request} />
    </RequestForm>
  )
}

function loadErrorText(error: unknown): string {
  if (error instanceof Refusal && error.status === 404) return t('This request does not exist.')
  return errorText(error)
}
