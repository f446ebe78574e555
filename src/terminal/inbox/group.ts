import { askerKey, askerParts, shortSessions } from '../../rules/asker.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { dangerLevel, type Item, inOrder } from './item.ts'

/** Requests that are listed together. */
export interface Group {
  /** Harmless text above them; null where no agent has told its session, because then each row says enough. */
  readonly heading: string | null
  /** Whether the heading says who asks. */
  readonly namesAsker: boolean
  readonly items: readonly Item[]
}

const longest = { name: 40, session: 40 }

/**
 * Dangerous requests first, whoever asks; then asker by asker, the one that waits longest first. `all` are the requests
 * whose sessions must be told apart, where a filter hides some of them.
 */
export function groupItems(items: Iterable<Item>, all: Iterable<Item> = items): Group[] {
  const ordered = inOrder(items)
  const sessions = Array.from(all, ({ request }) => request.session)
  if (!sessions.some(Boolean)) return [{ heading: null, namesAsker: false, items: ordered }]
  const short = shortSessions(sessions)
  const groups = Map.groupBy(ordered, ({ request }) => (dangerLevel(request) > 0 ? dangerous : askerKey(request)))
  return Array.from(groups, ([key, items]) =>
    key === dangerous
      ? { heading: 'Dangerous', namesAsker: false, items }
      : { heading: askerName(items, short), namesAsker: true, items },
  )
}

const dangerous = Symbol('dangerous')

/** `claude-code · shop · session 3f2a` */
function askerName(items: readonly Item[], short: (session: string) => string): string {
  const run = items[0]?.run || null
  const { agent, project, session } = askerParts(
    items.map(({ request }) => request),
    run,
  )
  const names = [agent, project ?? ''].filter(Boolean).map(name => cut(harmlessTitle(name), longest.name))
  const last = session === null ? [] : [`session ${cut(harmlessTitle(short(session)), longest.session)}`]
  return [...names, ...last].join(' · ')
}
