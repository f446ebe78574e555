import type { DependencyRequest, Request, ReviewRequest } from '../../../src/protocol/request.ts'
import { Markdown } from '../text/lazy-markdown.tsx'
import { Said } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'
import { Action } from './action.tsx'

/** What is particular to its kind, apart from the questions. */
export function What({ request }: { request: Request }) {
  switch (request.kind) {
    case 'question':
      return null
    case 'dependency':
      return <Needed request={request} />
    case 'approval':
      return <Action action={request.action} />
    case 'review':
      return <Files request={request} />
  }
}

function Needed({ request }: { request: DependencyRequest }) {
  const types = {
    api_key: t('An API key'),
    env_variable: t('A value for an environment variable'),
    service: t('The address of a service'),
    file: t('A file'),
    permission: t('A permission'),
    package: t('A package'),
  }
  return (
    <section className="needed">
      <p className="eyebrow">{types[request.type]}</p>
      <Markdown source={request.description} />
    </section>
  )
}

const mostFiles = 8

function Files({ request }: { request: ReviewRequest }) {
  if (request.files.length === 0) return null
  return (
    <details className="files" open={request.files.length <= mostFiles}>
      <summary>
        <h2>{request.files.length === 1 ? t('1 file') : t('{count} files', { count: request.files.length })}</h2>
      </summary>
      <ul>
        {request.files.map((file, i) => (
          <li key={`${i}`}>
            <code>
              <Said text={file} />
            </code>
          </li>
        ))}
      </ul>
    </details>
  )
}
