import { type UIEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { ErrorMessage } from '../components/error-message.tsx'
import { titleText, UntrustedText } from '../text/untrusted-text.tsx'
import { locale, t } from '../words/translate.ts'
import type { LogLine, LogSpan } from './log-lines.ts'
import { useLog } from './use-log.ts'
import './log-view.css'

const lineHeight = 20
const overscan = 20
const searchAfter = 300

/** The log of a run. Only the visible lines are in the page, so a million lines scroll like ten. */
export function LogView({ run }: { run: string }) {
  const [fromStart, setFromStart] = useState(false)
  const { lines, dropped, version, read, missing, caughtUp, elsewhere, ended, failure } = useLog(run, fromStart)
  const [search, setSearch] = useState('')
  const [found, setFound] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const lastTop = useRef(0)
  const [view, setView] = useState({ top: 0, height: 400 })
  const [follows, setFollows] = useState(true)
  const needle = search.trim().toLowerCase()
  // Search once the whole log is here; otherwise every page would search everything again.
  const isSearched = needle !== '' && fromStart && caughtUp
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs with every new line
  const hits = useMemo(
    () => (isSearched ? lines.flatMap(({ text }, i) => (text.toLowerCase().includes(needle) ? [i] : [])) : []),
    [lines, version, needle, isSearched],
  )
  // A search covers the whole log, not only its end. And an end that is one endless line is of little use.
  const isShort = caughtUp && lines.length < 20 && read > 30_000
  useEffect(() => {
    if (needle === '' && !isShort) return
    const timer = setTimeout(() => setFromStart(true), searchAfter)
    return () => clearTimeout(timer)
  }, [needle, isShort])
  const current = hits.length === 0 ? -1 : (hits[Math.min(found, hits.length - 1)] ?? -1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs with every new line
  useLayoutEffect(() => {
    if (follows && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [version, follows])
  useEffect(() => {
    if (current < 0 || !box.current) return
    box.current.scrollTop = Math.max(0, current * lineHeight - box.current.clientHeight / 2)
  }, [current])
  useEffect(() => {
    if (!box.current) return
    const element = box.current
    const observer = new ResizeObserver(() => setView(before => ({ ...before, height: element.clientHeight })))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(view.top / lineHeight) - overscan)
  const last = Math.min(lines.length, Math.ceil((view.top + view.height) / lineHeight) + overscan)

  return (
    <section className="log" aria-label={t('Log')}>
      <div className="log-tools">
        <input
          type="search"
          value={search}
          placeholder={t('Search log')}
          aria-label={t('Search log')}
          onChange={event => {
            setSearch(event.target.value)
            setFound(0)
            setFollows(event.target.value === '')
          }}
          onKeyDown={event => {
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          }}
        />
        {needle !== '' && (
          <>
            <output className="hits">
              {!isSearched
                ? t('Searching…')
                : hits.length === 0
                  ? t('No matches')
                  : `${Math.min(found, hits.length - 1) + 1}/${hits.length}`}
            </output>
            <button type="button" onClick={() => step(-1)} aria-label={t('Previous match')}>
              ↑
            </button>
            <button type="button" onClick={() => step(1)} aria-label={t('Next match')}>
              ↓
            </button>
          </>
        )}
        <span className="spacer" />
        {!fromStart && (
          <button type="button" onClick={() => setFromStart(true)}>
            {t('Show from start')}
          </button>
        )}
        {!follows && (
          <button type="button" onClick={() => setFollows(true)}>
            {t('Jump to end ↓')}
          </button>
        )}
      </div>
      <ErrorMessage text={failure} wide />
      {missing > 0 && fromStart && (
        <p className="quiet">{t('{count} bytes are no longer stored.', { count: missing })}</p>
      )}
      {dropped > 0 && (
        <p className="quiet">
          {t('Showing the last {count} lines. For the full log, run', { count: lines.length.toLocaleString(locale()) })}{' '}
          <code>beckon runs logs {run}</code>
        </p>
      )}
      <div
        ref={box}
        className="log-box"
        onScroll={scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('Log')}
      >
        {lines.length === 0 && <p className="quiet log-empty">{emptyText()}</p>}
        <div className="log-lines" style={{ height: lines.length * lineHeight }}>
          <div style={{ transform: `translateY(${first * lineHeight}px)` }}>
            {lines.slice(first, last).map((line, i) => (
              <LogRow
                key={first + i}
                line={line}
                number={fromStart ? dropped + first + i + 1 : null}
                needle={needle}
                isCurrent={first + i === current}
              />
            ))}
          </div>
        </div>
      </div>
    </section>
  )

  function emptyText(): string {
    if (elsewhere !== null)
      return t('The log is on {host} and is not available here.', { host: titleText(elsewhere, 100) })
    return ended ? t('This run printed nothing.') : t('No output yet.')
  }

  function scroll({ currentTarget }: UIEvent<HTMLDivElement>) {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget
    setView({ top: scrollTop, height: clientHeight })
    // Only scrolling up stops following; new lines alone also leave a distance to the end.
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - lineHeight
    if (isAtEnd) setFollows(needle === '')
    else if (scrollTop < lastTop.current - 1) setFollows(false)
    lastTop.current = scrollTop
  }

  function step(by: number) {
    if (hits.length > 0) setFound(before => (Math.min(before, hits.length - 1) + by + hits.length) % hits.length)
  }
}

interface LineProps {
  line: LogLine
  /** Null if it is unknown how many lines come before. */
  number: number | null
  needle: string
  isCurrent: boolean
}

const maxShownLength = 4_000

function LogRow({ line, number, needle, isCurrent }: LineProps) {
  const isHit = needle !== '' && line.text.toLowerCase().includes(needle)
  return (
    <div className={`log-line ${line.stream} ${isHit ? 'hit' : ''} ${isCurrent ? 'current' : ''}`}>
      {number !== null && (
        <span className="log-number" aria-hidden="true">
          {number}
        </span>
      )}
      {shortened(line.spans).map((span, i) => (
        <span key={`${i}`} className={span.className || undefined}>
          <UntrustedText text={span.text.replaceAll('\t', '    ')} />
        </span>
      ))}
    </div>
  )
}

/** Cuts a line that no screen could show. The search still covers all of it. */
function shortened(spans: readonly LogSpan[]): LogSpan[] {
  const kept: LogSpan[] = []
  let room = maxShownLength
  for (const span of spans) {
    if (room <= 0) return [...kept, { text: '…', className: 'dim' }]
    kept.push({ ...span, text: span.text.slice(0, room) })
    room -= span.text.length
  }
  return kept
}
