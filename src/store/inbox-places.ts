import type { Compilable } from 'kysely'
import type {
  InboxCandidateRow,
  InboxConditions,
  InboxFoldRow,
  InboxPlaceRow,
  InboxPosition,
  InboxReader,
} from './statements/inbox.ts'
import { mostUnfolded } from './statements/inbox.ts'
import type { Statements } from './statements/index.ts'

export interface InboxPage {
  after: InboxPosition | null
  limit: number
}

type Select = <Row>(query: Compilable) => Promise<Row[]>

/** More urgent requests than this are left to the statement that sorts all. */
const mostUrgent = 200
// Of the newest requests, some are snoozed, folded or of another project.
const lookedAtPerRow = 4

/**
 * The places of a page: the most urgent first, then the newest, alike ones folded. Usually the urgent ones are few and the
 * newest fill the page; all open requests are sorted only where that is not so.
 */
export async function readPlaces(
  select: Select,
  inbox: Statements['inbox'],
  [reader, conditions]: [InboxReader, InboxConditions],
  page: InboxPage,
): Promise<InboxPlaceRow[]> {
  return (await readFromNewest()) ?? (await sortAll())

  /** Null where it takes more than a look at the newest to fill the page. */
  async function readFromNewest(): Promise<InboxPlaceRow[] | null> {
    const { after, limit } = page
    if (conditions.view !== 'waiting' || conditions.ids !== null || conditions.alike !== null) return null
    const before = after?.urgency === 0 ? after.id : null
    const calm = await select<InboxCandidateRow>(inbox.newestCalm(reader, conditions, before, limit * lookedAtPerRow))
    if (calm.length < limit) return null
    const urgent = before === null ? await readUrgent() : []
    if (urgent === null) return null
    const folds = new Map(
      (await select<InboxFoldRow>(inbox.calmFolds(reader, conditions, calm))).map(fold => [fold.alike, fold]),
    )
    const places = [...urgent.filter(place => isBeyond(place, after)), ...fold(calm, folds)]
    return places.length < limit ? null : places.slice(0, limit)
  }

  /** All that are urgent, in their order. */
  async function readUrgent(): Promise<InboxPlaceRow[] | null> {
    const ids = await select<{ id: string }>(inbox.urgentIds(reader, mostUrgent))
    if (ids.length >= mostUrgent) return null
    if (ids.length === 0) return []
    const all = ids.map(({ id }) => id)
    const urgent = await select<InboxCandidateRow>(inbox.urgentPlaces(reader, conditions, all))
    return fold(urgent, foldsAmong(urgent))
  }

  async function sortAll(): Promise<InboxPlaceRow[]> {
    const { after, limit } = page
    const rows = await select<InboxPlaceRow>(inbox.places(reader, conditions, after, limit))
    return rows.map(({ id, urgency, members }) => ({
      id,
      urgency: Number(urgency),
      members: members === null ? null : Number(members),
    }))
  }
}

/** A fold stands where the newest of its members is, and they are in the order of the newest first. */
function foldsAmong(rows: readonly InboxCandidateRow[]): Map<string, InboxFoldRow> {
  const folds = new Map<string, InboxFoldRow>()
  for (const { alike, id } of rows) {
    if (alike === null) continue
    const fold = folds.get(alike) ?? { alike, members: 0, newest: id }
    folds.set(alike, { ...fold, members: fold.members + 1 })
  }
  return folds
}

function fold(rows: readonly InboxCandidateRow[], folds: ReadonlyMap<string, InboxFoldRow>): InboxPlaceRow[] {
  return rows.flatMap(({ id, urgency, alike }): InboxPlaceRow[] => {
    const fold = folds.get(alike ?? '')
    const members = Number(fold?.members ?? 0)
    if (!fold || members <= mostUnfolded) return [{ id, urgency: Number(urgency), members: null }]
    return fold.newest === id ? [{ id, urgency: Number(urgency), members }] : []
  })
}

function isBeyond({ urgency, id }: InboxPosition, after: InboxPosition | null): boolean {
  return after === null || urgency < after.urgency || (urgency === after.urgency && id < after.id)
}
