import type { Request } from '../../../src/protocol/request.ts'
import { type Kind, kinds, type Status, statuses } from '../../../src/protocol/status.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { KindMark } from '../components/icons.tsx'
import { Ago } from '../components/time.tsx'
import { answerValues } from '../history/answer-values.ts'
import { useExport } from '../history/use-export.ts'
import { toRequestFilter, useFilters } from '../history/use-filters.ts'
import { useHistoryPages } from '../history/use-history-pages.ts'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { CommandText } from '../text/command-text.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { withoutMarkdown } from '../text/without-markdown.ts'
import { deciderName, plainKindName, statusName } from '../words/names.ts'
import { optionLabel } from '../words/option-label.ts'
import { took } from '../words/times.ts'
import { t } from '../words/translate.ts'
import '../components/row.css'
import '../history/history.css'

/** Every request, newest first. */
export default function History() {
  const [filters, setFilters] = useFilters()
  const { search, kind, status } = filters
  const filter = toRequestFilter(filters)
  const { found, next, failure, busy, more, leave } = useHistoryPages(filter)
  const { read, failure: exportFailure, save } = useExport(filter)
  const { requests } = useHubState()
  const failureText = exportFailure ?? failure

  return (
    <div className="page">
      <h1>{t('History')}</h1>
      <search className="filters">
        <input
          type="search"
          value={search}
          onChange={event => setFilters({ search: event.target.value })}
          placeholder={t('Search')}
          aria-label={t('Search')}
        />
        <select
          value={kind}
          onChange={event => setFilters({ kind: event.target.value as Kind | '' })}
          aria-label={t('Kind')}
        >
          <option value="">{t('All kinds')}</option>
          {kinds.map(name => (
            <option key={name} value={name}>
              {plainKindName(name)}
            </option>
          ))}
        </select>
        <select
          value={status}
          onChange={event => setFilters({ status: event.target.value as Status | '' })}
          aria-label={t('Outcome')}
        >
          <option value="">{t('All outcomes')}</option>
          {statuses.map(name => (
            <option key={name} value={name}>
              {statusName(name)}
            </option>
          ))}
        </select>
        <button type="button" disabled={read !== null} onClick={() => void save('json')}>
          {t('Export JSON')}
        </button>
        <button type="button" disabled={read !== null} onClick={() => void save('csv')}>
          {t('Export CSV')}
        </button>
      </search>
      {read !== null && (
        <p className="quiet" role="status">
          {t('{count} requests so far…', { count: read })}
        </p>
      )}
      {failureText && (
        <p className="notice bad" role="alert">
          {failureText}
        </p>
      )}
      {found?.length === 0 && <p className="empty">{t('No results')}</p>}
      <ul className="history-list">
        {found?.map(request => (
          <li key={request.id}>
            <HistoryRow request={requests.get(request.id) ?? request} onOpen={leave} />
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" className="more-button" disabled={busy} onClick={() => void more()}>
          {t('Show more')}
        </button>
      )}
    </div>
  )
}

function HistoryRow({ request, onOpen }: { request: Request; onOpen: () => void }) {
  const decider = deciderName(request)
  const values = answerValues(request, label => optionLabel(request, label))
  return (
    <Link href={paths.request(request.id)} className="row" onOpen={onOpen}>
      <KindMark request={request} />
      <span className="row-text">
        <span className={`row-title ${request.kind === 'approval' ? 'mono' : ''}`} dir="auto">
          {request.kind === 'approval' ? (
            <CommandText text={titleText(titleOf(request), 240)} />
          ) : (
            <UntrustedTitle text={withoutMarkdown(titleOf(request))} longest={240} />
          )}
        </span>
        {values.length > 0 && (
          <span className="history-value" dir="auto">
            <UntrustedTitle text={withoutMarkdown(values.join(', '))} longest={160} />
          </span>
        )}
        <span className="row-about">
          <b>{statusName(request.status)}</b>
          {decider !== '' && <span>{decider}</span>}
          {request.settledAt !== null && (
            <span>{t('after {time}', { time: took(request.createdAt, request.settledAt) })}</span>
          )}
          <span>
            <UntrustedTitle text={request.agent.name} longest={40} />
          </span>
        </span>
      </span>
      <span className="row-time">
        <Ago at={request.createdAt} />
      </span>
    </Link>
  )
}
