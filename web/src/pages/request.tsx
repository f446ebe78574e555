import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { RequestForm } from '../answer/request-form.tsx'
import { Refusal } from '../api/call.ts'
import type { Session } from '../api/session.ts'
import { ApprovalForm } from '../approval/approval-form.tsx'
import { Attachments } from '../attachments/attachments.tsx'
import { useAskBack } from '../bar/use-ask-back.ts'
import { isSideBySide } from '../browser/media.ts'
import { useLoadingVerbs, useShortcuts } from '../browser/shortcuts.ts'
import { Collapsible } from '../components/collapsible.tsx'
import { Icon } from '../components/icons.tsx'
import { undo, useOutgoing } from '../outbox/outbox.ts'
import { SendingBar } from '../outbox/sending-bar.tsx'
import { OutcomeView } from '../outcome/outcome.tsx'
import { RequestDetails } from '../outcome/request-details.tsx'
import { RequestFrame } from '../request/request-frame.tsx'
import { RequestHeader } from '../request/request-header.tsx'
import { useTitleFocus } from '../request/use-title-focus.ts'
import { ReviewChanges, ReviewForm } from '../review/lazy-review.tsx'
import { paths } from '../route.ts'
import { cameFrom, go, Link } from '../router.tsx'
import { inboxState } from '../state/inbox.ts'
import { useRequest } from '../state/opened.ts'
import { inboxPath } from '../state/view.ts'
import { Markdown } from '../text/lazy-markdown.tsx'
import { tellStillLoading } from '../triage/notice.tsx'
import { errorText } from '../words/error-text.ts'
import { useContextText } from '../words/hub-texts/hub-texts.ts'
import { t } from '../words/translate.ts'
import './request.css'

/** One request: who asks for what, and either the form to answer it or its outcome. */
export function RequestPage({ id, session }: { id: string; session: Session }) {
  const { request, failure } = useRequest(id)
  const [elsewhere] = useState(cameFrom)
  const back = elsewhere ?? inboxPath()
  useShortcuts({ Escape: leave })
  useLoadingVerbs(!request && !failure, tellStillLoading)

  return (
    <article className="request">
      <p className={`crumbs ${elsewhere === null ? '' : 'elsewhere'}`}>
        <Link href={back} className="back">
          <Icon name="back" />
          {sectionName(elsewhere)}
        </Link>
      </p>
      {request ? (
        <RequestBody request={request} session={session} />
      ) : failure ? (
        <div className="request-main">
          <h1>{loadErrorText(failure)}</h1>
        </div>
      ) : (
        <output className="request-skeleton loading-screen" aria-label={t('Loading…')}>
          <span />
          <span />
          <span />
        </output>
      )}
    </article>
  )

  /** Beside the list it stays open, and the keys go on from its row. */
  function leave() {
    const row = document.querySelector<HTMLElement>(`.inbox [data-request="${CSS.escape(id)}"]`)
    if (elsewhere !== null || !isSideBySide()) return go(back)
    if (row) return row.focus()
    // While the list is loading there is no row yet, and the inbox would open another request.
    if (inboxState().isLoaded) go(back)
  }
}

function sectionName(path: string | null): string {
  if (path === null) return t('Inbox')
  return path.startsWith(paths.history) ? t('History') : t('Runs')
}

function RequestBody({ request, session }: { request: Request; session: Session }) {
  const mayAnswer = ['answer', 'admin'].includes(session.scope)
  const outgoing = useOutgoing(request.id)
  const isPending = request.status === 'pending'
  const title = useRef<HTMLHeadingElement>(null)
  useTitleFocus(title)
  // The outcome below tells the person who was first.
  useEffect(() => {
    if (!isPending && outgoing?.state === 'lost') undo(request.id)
  }, [isPending, outgoing, request.id])
  if (!isPending || !mayAnswer || outgoing) return <ReadOnly request={request} title={title} user={session.user} />
  const about = <About request={request} />
  if (request.kind === 'review') return <ReviewForm request={request} title={title} about={about} />
  return request.kind === 'approval' ? (
    <ApprovalForm request={request} title={title} about={about} />
  ) : (
    <RequestForm request={request} title={title} about={about} user={session.user} />
  )
}

interface ReadOnlyProps {
  request: Request
  title: RefObject<HTMLHeadingElement | null>
  user: string
}

/** Nothing to fill in: it is settled, or the decision is on its way, or the person may only look. */
function ReadOnly({ request, title, user }: ReadOnlyProps) {
  // The outcome takes the focus only if it replaces the form.
  const wasPending = useRef(request.status === 'pending')
  const { messages } = useAskBack(request)
  const outgoing = useOutgoing(request.id)
  const isPending = request.status === 'pending'
  return (
    <RequestFrame
      request={request}
      messages={messages}
      bar={isPending && outgoing ? <SendingBar item={outgoing} /> : null}
    >
      <RequestHeader request={request} title={title} />
      {request.kind === 'approval' && <RequestDetails request={request} />}
      <About request={request} />
      {request.kind === 'review' && <ReviewChanges request={request} />}
      {!isPending && <OutcomeView request={request} isNew={wasPending.current} user={user} />}
    </RequestFrame>
  )
}

/** What there is to know before deciding, beside the action of an approval. */
function About({ request }: { request: Request }) {
  const context = useContextText(request)
  return (
    <>
      {context.trim() !== '' && (
        <section className="context" aria-label={t('Context')}>
          <Collapsible isOpen={request.kind === 'approval' || request.kind === 'review'}>
            <Markdown source={context} />
          </Collapsible>
        </section>
      )}
      <Attachments request={request} />
      {request.kind !== 'approval' && <RequestDetails request={request} />}
    </>
  )
}

function loadErrorText(error: unknown): string {
  if (error instanceof Refusal && error.status === 404) return t('This request does not exist.')
  return errorText(error)
}
