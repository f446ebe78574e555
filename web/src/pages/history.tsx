import { useEffect, useState } from 'react'
import { titleOf } from '../../../src/core/title.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { type Kind, kinds, type Status, statuses } from '../../../src/protocol/status.ts'
import { listRequests, type RequestFilter } from '../api/requests.ts'
import { csvOf, download, fileName } from '../history/export.ts'
import { useHistoryFilter } from '../history/use-filter.ts'
import { valuesOf } from '../history/values.ts'
import { useKnown } from '../live.ts'
import { KindMark } from '../parts/icons.tsx'
import { Ago } from '../parts/time.tsx'
import { Link, paths } from '../router.tsx'
import { SaidTitle, titleText } from '../text/said.tsx'
import { Unbroken } from '../text/unbroken.tsx'
import { channelName, plainKindName, statusName } from '../words/names.ts'
import { took } from '../words/times.ts'
import { t, told } from '../words/words.ts'

const pageSize = 50
const searchAfter = 250

/** Everything ever asked, newest first. */
export default function History() {
  const [{ search, kind, status }, narrow] = useHistoryFilter()
  const [found, setFound] = useState<readonly Request[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [exported, setExported] = useState<number | null>(null)
  const { requests } = useKnown()
  const filter: RequestFilter = { status, order: 'desc', search: search.trim(), ...(kind === '' ? {} : { kind }) }
  const asked = JSON.stringify(filter)
  useEffect(() => {
    const stopped = new AbortController()
    const timer = setTimeout(() => {
      listRequests({ ...JSON.parse(asked), limit: pageSize }, stopped.signal).then(
        page => {
          setFound(page.requests)
          setNext(page.next)
          setTrouble(null)
        },
        error => !stopped.signal.aborted && setTrouble(error.message),
      )
    }, searchAfter)
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [asked])

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
          onChange={event => narrow({ status: event.target.value as Status | 'all' })}
          aria-label={t('Outcome')}
        >
          <option value="all">{t('Every outcome')}</option>
          {statuses.map(one => (
            <option key={one} value={one}>
              {statusName(one)}
            </option>
          ))}
        </select>
        <span className="grow" />
        <button type="button" disabled={exported !== null} onClick={() => void save('json')}>
          {t('Export JSON')}
        </button>
        <button type="button" disabled={exported !== null} onClick={() => void save('csv')}>
          {t('Export CSV')}
        </button>
      </search>
      {exported !== null && (
        <p className="quiet" role="status">
          {t('{count} so far…', { count: exported })}
        </p>
      )}
      {trouble && (
        <p className="notice bad" role="alert">
          {told(trouble)}
        </p>
      )}
      {found?.length === 0 && <p className="empty">{t('Nothing was found.')}</p>}
      <ul className="past">
        {found?.map(request => (
          <li key={request.id}>
            <Past request={requests.get(request.id) ?? request} />
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" className="more-button" onClick={() => void more()}>
          {t('Show more')}
        </button>
      )}
    </div>
  )

  async function more() {
    setTrouble(null)
    try {
      const page = await listRequests({ ...filter, limit: pageSize, ...(next ? { after: next } : {}) })
      setFound(before => [...(before ?? []), ...page.requests])
      setNext(page.next)
    } catch (error) {
      setTrouble((error as Error).message)
    }
  }

  async function save(format: 'json' | 'csv') {
    setTrouble(null)
    setExported(0)
    try {
      const all = await everything(filter, setExported)
      const name = fileName(format, new Date())
      if (format === 'json') download(name, 'application/json', JSON.stringify({ requests: all }, null, 2))
      else download(name, 'text/csv', csvOf(all))
    } catch (error) {
      setTrouble((error as Error).message)
    } finally {
      setExported(null)
    }
  }
}

/** All that matches, not only what is shown. */
async function everything(filter: RequestFilter, onMore: (count: number) => void): Promise<Request[]> {
  const all: Request[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = await listRequests({ ...filter, limit: 1_000, ...(after === undefined ? {} : { after }) })
    all.push(...page.requests)
    onMore(all.length)
    after = page.next
  }
  return all
}

function Past({ request }: { request: Request }) {
  const { outcome } = request
  const values = valuesOf(request)
  return (
    <Link href={paths.request(request.id)} className="row">
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
          {outcome && (
            <span>
              <SaidTitle text={outcome.by} longest={40} />, {channelName(outcome.channel)}
            </span>
          )}
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
