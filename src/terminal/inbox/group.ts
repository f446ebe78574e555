import { askerParts, shortSessions } from '../../rules/asker.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { dangerLevel, type Item, inOrder } from './item.ts'

/** Requests that are listed together. */
export interface Group {
  /** Harmless text above them; null where no agent has told its session, because then each row says enough. */
  readonly heading: string | null
  /** Who asks, which the heading says; null where there is none. */
  readonly asker: string | null
  readonly items: readonly Item[]
}

const longest = { name: 40, session: 40 }

/** Dangerous requests first, then the others, asker by asker, the one that waits longest first. */
export function groupItems(items: Iterable<Item>): Group[] {
  const ordered = inOrder(items)
  const sessions = ordered.map(({ request }) => request.session)
  if (!sessions.some(Boolean)) return [{ heading: null, asker: null, items: ordered }]
  const short = shortSessions(sessions)
  const keyOf = ({ request, asker }: Item) => `${dangerLevel(request)} ${asker}`
  return Array.from(Map.groupBy(ordered, keyOf).values(), items => {
    const asker = askerName(items, short)
    const isDangerous = items.some(({ request }) => dangerLevel(request) > 0)
    return { heading: isDangerous ? `Dangerous · ${asker}` : asker, asker, items }
  })
}

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
