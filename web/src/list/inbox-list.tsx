import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { DialogLoading, loadChunk } from '../browser/load-chunk.tsx'
import { isSideBySide } from '../browser/media.ts'
import { useIsInUse } from '../components/use-is-in-use.ts'
import { useOutbox } from '../outbox/outbox.ts'
import { go } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { readMore, showView, useInbox } from '../state/inbox.ts'
import { nextWaiting, noteShownRows } from '../state/next.ts'
import { useView } from '../state/use-view.ts'
import { requestPath } from '../state/view.ts'
import type { Together } from '../triage/answer-together.tsx'
import { Notice } from '../triage/notice.tsx'
import { SelectionBar } from '../triage/selection-bar.tsx'
import { inAnHour, snoozeRows } from '../triage/snoozing.ts'
import { useSelection } from '../triage/use-selection.ts'
import { EmptyList } from './empty-list.tsx'
import { FoldLine } from './fold-line.tsx'
import { ListHead } from './list-head.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { Row } from './row.tsx'
import { useHeights } from './use-heights.ts'
import { useListKeys } from './use-list-keys.ts'
import { useStableRows } from './use-stable-rows.ts'
import { useWindow } from './use-window.ts'
import './inbox-list.css'

const AnswerTogether = lazy(() => loadChunk(() => import('../triage/answer-together.tsx')))
const SnoozeMenu = lazy(() => loadChunk(() => import('../triage/snooze-menu.tsx')))

/** More rows are read when this many are left below. */
const readAhead = 20

let lastOpened: string | null = null

/** What waits, beside the request that is open. */
export function InboxList({ open }: { open: string | null }) {
  const view = useView()
  useEffect(() => showView(view), [view])
  const inbox = useInbox()
  const section = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, newCount, showNew } = useStableRows(useIsInUse(section))
  const decided = useDecided()
  const waiting = useMemo(
    () => rows.filter(({ id }) => !inbox.settled.has(id) && !decided.has(id)),
    [rows, inbox.settled, decided],
  )
  const heights = useHeights(rows)
  const shown = useWindow(scroller, heights.tops)
  const askerOf = useAskers()
  const twins = useMemo(() => agentsWithSessions(rows), [rows])
  const selection = useSelection(waiting)
  const [snoozing, setSnoozing] = useState<readonly InboxRow[] | null>(null)
  const [together, setTogether] = useState<Together | null>(null)

  useEffect(() => {
    noteShownRows(rows.map(({ id }) => id))
    return () => noteShownRows(null)
  }, [rows])
  useEffect(() => {
    if (inbox.next !== null && shown.to > rows.length - readAhead) void readMore()
  }, [inbox.next, shown.to, rows.length])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another one is opened
  useEffect(() => {
    if (open === null) return
    lastOpened = open
    scrollTo(open)
  }, [open])
  useListKeys(inbox.isLoaded, {
    j: () => move(1),
    k: () => move(-1),
    J: () => selectAndMove(1),
    K: () => selectAndMove(-1),
    n: () => openNext(),
    x: () => selection.toggle(cursor()),
    z: () => setSnoozing(chosenRows()),
    ...(selection.ids.size > 0 ? { Escape: selection.clear } : {}),
  })
  const snoozeSwiped = useCallback((row: InboxRow) => void snoozeRows([row], inAnHour()), [])

  return (
    <section
      className={`inbox ${selection.ids.size > 0 ? 'is-selecting' : ''}`}
      aria-labelledby="inbox-title"
      ref={section}
      style={{ '--row-height': `${heights.row}px`, '--fold-height': `${heights.fold}px` } as object}
    >
      <ListHead
        view={view}
        newCount={newCount}
        onShowNew={() => {
          showNew()
          scroller.current?.scrollTo(0, 0)
        }}
        onEnter={() => rows[0] && go(requestPath(rows[0].id))}
      />
      <div className="inbox-scroller" ref={scroller}>
        {!inbox.isLoaded && <ListSkeleton />}
        {inbox.isLoaded && rows.length === 0 && <EmptyList view={view} />}
        <ul className="inbox-rows" style={{ height: heights.total }}>
          {rows.slice(shown.from, shown.to).map((row, i) => {
            const at = shown.from + i
            return (
              <li key={row.id} style={{ top: heights.tops[at] }} aria-setsize={rows.length} aria-posinset={at + 1}>
                <Row
                  row={row}
                  asker={askerOf(row)}
                  showSession={twins.has(agentKey(row))}
                  isOpen={row.id === open}
                  settled={inbox.settled.get(row.id) ?? null}
                  isDecided={decided.has(row.id)}
                  isSelected={selection.ids.has(row.id)}
                  onSelect={selection.select}
                  onSnooze={snoozeSwiped}
                />
                {row.folded > 0 && (
                  <FoldLine
                    row={row}
                    view={view}
                    onAnswer={fold => setTogether({ verb: 'answer', rows: [row], fold })}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </div>
      <SelectionBar
        rows={selection.rows}
        onAnswer={() => setTogether({ verb: 'answer', rows: selection.rows, fold: null })}
        onDecline={() => setTogether({ verb: 'decline', rows: selection.rows, fold: null })}
        onSnooze={() => setSnoozing(selection.rows)}
        onClear={selection.clear}
      />
      <Notice />
      <Suspense fallback={<DialogLoading />}>
        {snoozing && snoozing.length > 0 && (
          <SnoozeMenu rows={snoozing} onClose={() => setSnoozing(null)} onDone={selection.clear} />
        )}
        {together && <AnswerTogether together={together} onClose={() => setTogether(null)} onDone={selection.clear} />}
      </Suspense>
    </section>
  )

  /** The row that the keys act on: the focused one, or the one that is open or was open last. */
  function cursor(): string | null {
    return focusedRow()?.dataset.request ?? open ?? lastOpened
  }

  function focusedRow(): HTMLElement | null | undefined {
    return document.activeElement?.closest<HTMLElement>('.inbox [data-request]')
  }

  function chosenRows(): readonly InboxRow[] {
    if (selection.rows.length > 0) return selection.rows
    const id = cursor()
    return rows.filter(row => row.id === id)
  }

  function neighbour(by: 1 | -1): InboxRow | undefined {
    const at = rows.findIndex(({ id }) => id === cursor())
    const from = at < 0 ? (by > 0 ? -1 : rows.length) : at
    return rows[Math.min(rows.length - 1, Math.max(0, from + by))]
  }

  function move(by: 1 | -1) {
    const next = neighbour(by)
    if (!next) return
    scrollTo(next.id)
    if (!isSideBySide()) return focusRow(next.id)
    // Or the next key would start from this row again.
    focusedRow()?.blur()
    go(requestPath(next.id), { replace: open !== null })
  }

  function selectAndMove(by: 1 | -1) {
    selection.add([cursor(), neighbour(by)?.id ?? null])
    move(by)
  }

  function openNext() {
    const next = nextWaiting(open)
    if (next !== null) go(requestPath(next))
  }

  function scrollTo(id: string) {
    const element = scroller.current
    const at = rows.findIndex(row => row.id === id)
    const top = heights.tops[at]
    if (!element || top === undefined) return
    const bottom = heights.tops[at + 1] ?? heights.total
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
  }

  /** Once it is in the document. */
  function focusRow(id: string) {
    requestAnimationFrame(() =>
      section.current?.querySelector<HTMLElement>(`[data-request="${CSS.escape(id)}"]`)?.focus({ preventScroll: true }),
    )
  }
}

/** The requests whose decisions wait to be sent. */
function useDecided(): ReadonlySet<string> {
  const outbox = useOutbox()
  return useMemo(
    () =>
      new Set(
        outbox.filter(({ state }) => state === 'waiting' || state === 'sending').map(({ request }) => request.id),
      ),
    [outbox],
  )
}

function useAskers(): (row: InboxRow) => string {
  const { runs } = useHubState()
  return ({ run, agent }) => (run === null ? null : runs.get(run)?.name) ?? agent
}

/** Agents that ask in several sessions in one directory: only there a row names its session. */
function agentsWithSessions(rows: readonly InboxRow[]): ReadonlySet<string> {
  const sessions = new Map<string, Set<string>>()
  for (const row of rows) {
    if (row.session === null) continue
    const key = agentKey(row)
    sessions.set(key, (sessions.get(key) ?? new Set()).add(row.session))
  }
  return new Set([...sessions].filter(([, known]) => known.size > 1).map(([key]) => key))
}

function agentKey({ agent, directory }: InboxRow): string {
  return JSON.stringify([agent, directory])
}
