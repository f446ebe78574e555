import type { Request } from '../../../src/protocol/request.ts'
import { type Kind, kinds, type Status, statuses } from '../../../src/protocol/status.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { useExport } from '../history/use-export.ts'
import { filterOf, useFields } from '../history/use-fields.ts'
import { usePast } from '../history/use-past.ts'
import { valuesOf } from '../history/values.ts'
import { useKnown } from '../live.ts'
import { KindMark } from '../parts/icons.tsx'
import { Ago } from '../parts/time.tsx'
import { labelOf } from '../request/labels.ts'
import { Link, paths } from '../router.tsx'
import { Unbroken } from '../text/unbroken.tsx'
import { SaidTitle, titleText } from '../text/untrusted-text.tsx'
import { deciderName, plainKindName, statusName } from '../words/names.ts'
import { took } from '../words/times.ts'
import { t } from '../words/words.ts'

/** Everything ever asked, newest first. */
export default function History() {
  const [fields, narrow] = useFields()
  const { search, kind, status } = fields
  const filter = filterOf(fields)
  const { found, next, trouble, busy, more, leave } = usePast(filter)
  const { read, trouble: exportTrouble, save } = useExport(filter)
  const { requests } = useKnown()
  const said = exportTrouble ?? trouble

  return (
    <div className="page">
      <h1>{t('History')}</h1>
      <search className="filters">
        <input
          type="search"
          value={search}
          onChange={event => narrow({ search: event.target.value })}
          placeholder={t('Search')}
          aria-label={t('Search')}
        />
        <select
          value={kind}
          onChange={event => narrow({ kind: event.target.value as Kind | '' })}
          aria-label={t('Kind')}
        >
          <option value="">{t('Every kind')}</option>
          {kinds.map(one => (
            <option key={one} value={one}>
              {plainKindName(one)}
            </option>
          ))}
        </select>
        <select
          value={status}
          onChange={event => narrow({ status: event.target.value as Status | '' })}
          aria-label={t('Outcome')}
        >
          <option value="">{t('Every outcome')}</option>
          {statuses.map(one => (
            <option key={one} value={one}>
              {statusName(one)}
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
          {t('{count} so far…', { count: read })}
        </p>
      )}
      {said && (
        <p className="notice bad" role="alert">
          {said}
        </p>
      )}
      {found?.length === 0 && <p className="empty">{t('Nothing was found.')}</p>}
      <ul className="past">
        {found?.map(request => (
          <li key={request.id}>
            <Past request={requests.get(request.id) ?? request} onOpen={leave} />
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

function Past({ request, onOpen }: { request: Request; onOpen: () => void }) {
  const decider = deciderName(request)
  const values = valuesOf(request, label => labelOf(request, label))
  return (
    <Link href={paths.request(request.id)} className="row" onOpen={onOpen}>
      <KindMark request={request} />
      <span className="row-text">
        <span className={`row-title ${request.kind === 'approval' ? 'mono' : ''}`} dir="auto">
          {request.kind === 'approval' ? (
            <Unbroken text={titleText(titleOf(request), 240)} />
          ) : (
            <SaidTitle text={titleOf(request)} longest={240} />
          )}
        </span>
        {values.length > 0 && (
          <span className="past-value" dir="auto">
            <SaidTitle text={values.join(', ')} longest={160} />
          </span>
        )}
        <span className="row-about">
          <b>{statusName(request.status)}</b>
          {decider !== '' && <span>{decider}</span>}
          {request.settledAt !== null && (
            <span>{t('after {time}', { time: took(request.createdAt, request.settledAt) })}</span>
          )}
          <span>
            <SaidTitle text={request.agent.name} longest={40} />
          </span>
        </span>
      </span>
      <span className="row-time">
        <Ago at={request.createdAt} />
      </span>
    </Link>
  )
}
