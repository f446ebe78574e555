import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type * as z from 'zod'
import { type HubApi, type Inbox, type InboxRow, inboxFilterSchema, invalid } from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { InboxEntry } from '../store/records.ts'
import { beyond } from '../store/search/read-index.ts'
import type {
  InboxConditions,
  InboxCountRow,
  InboxPlaceRow,
  InboxPosition,
  InboxReader,
} from '../store/statements/inbox.ts'
import type { Store, View } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { summaryOf } from './summary.ts'

/** A deadline closer than this makes a request urgent. */
export const soonMs = 10 * 60_000

type Filter = z.output<typeof inboxFilterSchema>

/** Where a list continues: in the inbox as it was when its first page was read. */
interface Cursor {
  now: number
  upTo: string
  after: InboxPosition
}

/**
 * The inbox of a person, a page at a time. All pages of a list look at the same moment and at no request that came later,
 * so that rows neither move between pages nor come twice; what is settled meanwhile is missing, and nothing else is.
 */
export function createInbox({ store, caller }: { store: Store; caller: Caller }): Pick<HubApi, 'inbox'> {
  return { inbox }

  async function inbox(given: Parameters<HubApi['inbox']>[0] = {}): Promise<Inbox> {
    const filter = parse(inboxFilterSchema, given)
    const cursor = filter.after === undefined ? null : parseCursor(filter.after)
    // Read before the rows: what happens meanwhile is then reported twice rather than missed.
    const [lastEvent, now, newest] = await store.read(view =>
      Promise.all([view.lastEvent(), view.now(), view.newestPending()]),
    )
    const time = cursor?.now ?? now
    const upTo = cursor?.upTo ?? newest ?? ''
    const reader = { person: caller.user, now: time, soon: time + soonMs, upTo }
    const ids = filter.search === undefined ? null : await find(filter.search, upTo)
    const conditions = conditionsOf(filter, time, ids)
    return store.read(async view => {
      const counts = await view.inboxCounts({ ...reader, upTo: newest ?? '', now, soon: now + soonMs })
      const all = countsOf(counts)
      const page = { after: cursor?.after ?? null, limit: filter.limit + 1 }
      const places = await view.inboxPlaces(reader, conditions, page)
      const shown = places.slice(0, filter.limit)
      const last = places.length > filter.limit ? shown.at(-1) : undefined
      return {
        rows: await readRows(view, reader, shown),
        next: last ? writeCursor({ now: time, upTo, after: last }) : null,
        cursor: lastEvent,
        counts: all,
        found: isFiltered(conditions) ? await view.inboxFound(reader, conditions) : all[conditions.view],
        projects: groupsOf(counts, 'project').map(({ name, ...project }) => ({ directory: name, ...project })),
        agents: groupsOf(counts, 'agent'),
      }
    })
  }

  /** The ids of all pending requests with all words, in slices so that nobody else waits for a long search. */
  async function find(search: string, upTo: string): Promise<string[] | null> {
    const words = search.split(/\s+/u).filter(Boolean)
    if (words.length > mostWords) throw invalid([{ path: 'search', message: `has more than ${mostWords} words` }])
    if (words.length === 0) return null
    // Once the index is built, slices follow its blocks: the next one may then contain ids of the one before.
    const found = new Set<string>()
    let size = 250
    for (let before: string | null = beyond(upTo); before !== null; await setImmediate()) {
      const slice: { before: string; size: number } = { before, size }
      const started = performance.now()
      const matching = await store.read(view => view.matchingPending(words, slice))
      const took = performance.now() - started
      for (const id of matching.ids) found.add(id)
      before = matching.next
      size = took > longSlice ? Math.max(10, size >> 2) : Math.min(4_000, size << 1)
    }
    return [...found]
  }
}

const mostWords = 20
// Milliseconds that other calls may have to wait for a part of a search.
const longSlice = 20

function conditionsOf(filter: Filter, now: number, ids: string[] | null): InboxConditions {
  return {
    view: filter.view,
    directory: filter.project ?? null,
    agent: filter.agent ?? null,
    run: filter.run ?? null,
    kind: filter.kind ?? null,
    createdBefore: filter.olderThan === undefined ? null : now - filter.olderThan,
    ids,
    alike: filter.alike ?? null,
  }
}

function isFiltered({ view, ...conditions }: InboxConditions): boolean {
  return Object.values(conditions).some(condition => condition !== null)
}

async function readRows(view: View, { person }: InboxReader, places: readonly InboxPlaceRow[]): Promise<InboxRow[]> {
  const entries = await view.inboxEntries(
    person,
    places.map(({ id }) => id),
  )
  const byId = new Map(entries.map(entry => [entry.id, entry]))
  const rows: InboxRow[] = []
  for (const place of places) {
    const entry = byId.get(place.id)
    // It was settled in this moment.
    if (entry) rows.push(rowOf(entry.title === null ? await withSummary(view, entry) : entry, place))
  }
  return rows
}

/** For requests from before summaries were stored. */
async function withSummary(view: View, entry: InboxEntry): Promise<InboxEntry> {
  const record = await view.request(entry.id)
  if (!record) return entry
  const { title, detail, parts } = summaryOf({ ...record, hasFiles: record.attachments.length > 0 })
  return { ...entry, title, detail, parts }
}

function rowOf(entry: InboxEntry, { urgency, members }: InboxPlaceRow): InboxRow {
  const { detail, ...rest } = entry
  return {
    ...rest,
    title: entry.title ?? '',
    parts: entry.parts ?? 1,
    urgent: urgency > 0,
    severity: entry.kind === 'approval' ? (detail as InboxRow['severity']) : null,
    type: entry.kind === 'dependency' ? (detail as InboxRow['type']) : null,
    createdAt: new Date(entry.createdAt).toISOString(),
    deadline: isoOrNull(entry.deadline),
    snoozedUntil: isoOrNull(entry.snoozedUntil),
    folded: members === null ? 0 : members - 1,
  }
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

function countsOf(rows: readonly InboxCountRow[]): Inbox['counts'] {
  const { urgent, waiting, snoozed } = rows.find(({ what }) => what === 'all') ?? { urgent: 0, waiting: 0, snoozed: 0 }
  return { urgent, waiting, snoozed }
}

function groupsOf(rows: readonly InboxCountRow[], kind: InboxCountRow['what']): Inbox['agents'] {
  return rows
    .filter(({ what }) => what === kind)
    .map(({ name, waiting, urgent }) => ({ name, count: waiting, urgent }))
    .toSorted((a, b) => b.count - a.count)
}

function writeCursor({ now, upTo, after }: Cursor): string {
  return [now, upTo, after.urgency, after.id].join('.')
}

function parseCursor(text: string): Cursor {
  const [, now, upTo, urgency, id] = /^(\d{1,15})\.([\w-]{1,80})\.([0-4])\.([\w-]{1,80})$/.exec(text) ?? []
  if (!now || !upTo || !urgency || !id) {
    throw invalid([{ path: 'after', message: 'is not a cursor; send `next` of the previous page' }])
  }
  return { now: Number(now), upTo, after: { urgency: Number(urgency), id } }
}
