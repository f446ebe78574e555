import type { ReactNode, RefObject } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { eyebrow, requestTitle } from '../words/request-title.ts'
import './request-header.css'

interface Props {
  request: Request
  title?: RefObject<HTMLHeadingElement | null>
  /** Of a batch: where the person is in it, instead of the request's own title. */
  step?: { readonly above: ReactNode; readonly title: string } | undefined
}

/** The one title of the page. */
export function RequestHeader({ request, title, step }: Props) {
  const above = step?.above ?? eyebrow(request)
  return (
    <header className="request-head">
      {above !== null && (
        <p className="request-eyebrow">
          {typeof above === 'string' ? <UntrustedTitle text={above} longest={80} /> : above}
        </p>
      )}
      <h1 ref={title} tabIndex={-1} dir="auto" data-step-title={step ? '' : undefined}>
        <UntrustedTitle text={step?.title ?? requestTitle(request)} longest={300} />
      </h1>
    </header>
  )
}
