import { useEffect, useRef, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { Refusal } from '../api/call.ts'
import { getRequest } from '../api/requests.ts'
import type { Session } from '../api/session.ts'
import { useKeys } from '../keys.ts'
import { learn, useKnown } from '../live.ts'
import { Folding } from '../parts/folding.tsx'
import { Icon } from '../parts/icons.tsx'
import { AnswerForm } from '../request/answer-form.tsx'
import { ApprovalForm } from '../request/approval-form.tsx'
import { RequestHead } from '../request/head.tsx'
import { OutcomeOf } from '../request/outcome.tsx'
import { What } from '../request/what.tsx'
import { cameFrom, go, Link, paths } from '../router.tsx'
import { Markdown } from '../text/lazy-markdown.tsx'
import { troubleIn } from '../words/trouble.ts'
import { t } from '../words/words.ts'

/** One request: who wants what, and either the form to answer it or what became of it. */
export function RequestPage({ id, session }: { id: string; session: Session }) {
  const { requests, phase, isLoaded } = useKnown()
  const request = requests.get(id)
  const [trouble, setTrouble] = useState<string | null>(null)
  useEffect(() => {
    // Once the list is there, it need not be read a second time.
    if (request || !isLoaded || phase === 'lost') return
    getRequest(id).then(learn, error => setTrouble(troubleOf(error)))
  }, [id, request, isLoaded, phase])
  const [back] = useState(() => cameFrom() ?? paths.inbox)
  useKeys({ Escape: () => go(back) })

  return (
    <article className="request">
      <p className={`crumbs ${back === paths.inbox ? '' : 'elsewhere'}`}>
        <Link href={back} className="back">
          <Icon name="back" />
          {placeName(back)}
        </Link>
      </p>
      {request ? (
        <Shown request={request} session={session} />
      ) : trouble ? (
        <div className="request-body">
          <h1>{trouble}</h1>
        </div>
      ) : (
        <output className="first-look">{t('Loading…')}</output>
      )}
    </article>
  )
}

function placeName(path: string): string {
  if (path === paths.inbox) return t('Inbox')
  return path.startsWith(paths.history) ? t('History') : t('Runs')
}

function Shown({ request, session }: { request: Request; session: Session }) {
  const mayAnswer = ['answer', 'admin'].includes(session.scope)
  // Where the form was when it was settled from here or elsewhere, its end takes the focus, and nothing else does.
  const wasPending = useRef(request.status === 'pending')
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const hasFocus = head.current?.closest('.request')?.contains(document.activeElement)
    if (!hasFocus) head.current?.focus({ preventScroll: true })
  }, [])
  const isPending = request.status === 'pending'
  const about = (
    <>
      <RequestHead request={request} title={head} />
      {request.context !== null && request.context.trim() !== '' && (
        <section className="context" aria-label={t('Context')}>
          <Folding isOpen={request.kind === 'approval' || request.kind === 'review'}>
            <Markdown source={request.context} />
          </Folding>
        </section>
      )}
    </>
  )
  if (!isPending || !mayAnswer) {
    return (
      <div className="request-body">
        {about}
        <What request={request} />
        {!isPending && <OutcomeOf request={request} isNew={wasPending.current} user={session.user} />}
      </div>
    )
  }
  return request.kind === 'approval' ? (
    <ApprovalForm request={request}>{about}</ApprovalForm>
  ) : (
    <AnswerForm request={request}>
      {about}
      <What request={request} />
    </AnswerForm>
  )
}

function troubleOf(error: unknown): string {
  if (error instanceof Refusal && error.status === 404) return t('There is no such request.')
  return troubleIn(error)
}
