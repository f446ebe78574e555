import type { InboxFilter } from '../../../src/protocol/inbox.ts'
import { type InboxView, inboxViews } from '../../../src/protocol/inbox-view.ts'
import { kinds } from '../../../src/protocol/status.ts'
import { paths } from '../route.ts'

/** What the list shows: a view, narrowed down. It is in the address, so that it can be kept, shared and gone back to. */
export interface View extends Omit<InboxFilter, 'after' | 'limit'> {
  readonly view: InboxView
}

/** How many rows the page begins with. */
export const firstRows = 50

const texts = ['project', 'agent', 'run', 'search', 'alike'] as const

export function parseView(query: string): View {
  const given = new URLSearchParams(query)
  const olderThan = Number(given.get('olderThan'))
  const kind = kinds.find(kind => kind === given.get('kind'))
  return {
    view: inboxViews.find(view => view === given.get('view')) ?? 'waiting',
    ...Object.fromEntries(texts.flatMap(name => (given.get(name) ? [[name, given.get(name)]] : []))),
    ...(kind ? { kind } : {}),
    ...(Number.isInteger(olderThan) && olderThan > 0 ? { olderThan } : {}),
  }
}

/** `?view=urgent&project=…`; empty for everything that waits. */
export function viewQuery(view: View): string {
  const given = Object.entries(view).filter(([name, value]) => value && !(name === 'view' && value === 'waiting'))
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length > 0 ? `?${query}` : ''
}

export function inboxPath(view: View = currentView()): string {
  return paths.inbox + viewQuery(view)
}

/** A request beside the list as it is. */
export function requestPath(id: string, view: View = currentView()): string {
  return paths.request(id) + viewQuery(view)
}

export function currentView(): View {
  return parseView(viewQueryAt(location.pathname, location.search))
}

export function isNarrowed({ view: _, ...rest }: View): boolean {
  return Object.values(rest).some(Boolean)
}

/** Other pages have queries of their own. */
export function viewQueryAt(path: string, query: string): string {
  return path === paths.inbox || path.startsWith(paths.request('')) ? query : ''
}
