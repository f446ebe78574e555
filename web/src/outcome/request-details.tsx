import type { DependencyRequest, Request, ReviewRequest } from '../../../src/protocol/request.ts'
import { Action } from '../approval/action.tsx'
import { Markdown } from '../text/lazy-markdown.tsx'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { dependencyName } from '../words/names.ts'
import { t } from '../words/translate.ts'
import './request-details.css'

/** The part of a request that depends on its kind, apart from its questions. */
export function RequestDetails({ request }: { request: Request }) {
  switch (request.kind) {
    case 'question':
      return null
    case 'dependency':
      return <Dependency request={request} />
    case 'approval':
      return <Action id={request.id} action={request.action} />
    case 'review':
      return <Files request={request} />
  }
}

function Dependency({ request }: { request: DependencyRequest }) {
  return (
    <section className="dependency-details">
      <p className="eyebrow">{dependencyName(request.type)}</p>
      <Markdown source={request.description} />
    </section>
  )
}

const maxOpenFiles = 8

function Files({ request }: { request: ReviewRequest }) {
  // The diff names every file, with what changed in it.
  if (request.files.length === 0 || request.diff) return null
  return (
    <details className="files" open={request.files.length <= maxOpenFiles}>
      <summary>
        <h2>{request.files.length === 1 ? t('1 file') : t('{count} files', { count: request.files.length })}</h2>
      </summary>
      <ul>
        {request.files.map((file, i) => (
          <li key={`${i}`}>
            <code>
              <UntrustedText text={file} />
            </code>
          </li>
        ))}
      </ul>
    </details>
  )
}
