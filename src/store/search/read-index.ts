import type { Prepared } from '../prepare.ts'
import type { Statements } from '../statements/index.ts'
import type { Candidates, IndexReader } from './candidates.ts'
import { readMask } from './grams.ts'

/** Runs one statement of a session. */
export type Run = <Values, Row>(statement: Prepared<Values, Row>, values: Values) => Promise<Row[]>

export interface SearchState {
  /** Beyond all ids that the index knows. */
  end: string
  /** What happened later is not in the index. */
  event: number
  isBeyond: boolean
}

// The requests of these events are looked at one by one. With more, an index that nobody has brought up to date saves nothing.
const mostEventsBehind = 10_000

/** How far the index goes, and whether an id is beyond; null where it does not help. */
export async function readSearchState(
  { searchState }: Statements['search'],
  run: Run,
  id: string,
): Promise<SearchState | null> {
  const rows = await run(searchState, { id })
  const end = rows.find(({ name }) => name === 'search_end')
  const event = Number(rows.find(({ name }) => name === 'search_event')?.value)
  if (!end?.value || end.last - event > mostEventsBehind) return null
  return { end: end.value, event, isBeyond: end.beyond === 1 }
}

export function indexReader(statements: Statements['search'], run: Run): IndexReader {
  return {
    segmentsBefore: (after, limit) => run(statements.segmentsBefore, { after, limit }),
    segmentsAfter: (after, limit) => run(statements.segmentsAfter, { after, limit }),
    masks: async ({ bucket, slot }, segments) => {
      const rows =
        slot === null
          ? await run(statements.bucketMasks, { ...segments, bucket })
          : await run(statements.gramMasks, { ...segments, bucket, slot })
      return new Map(rows.map(({ segment, masks }) => [segment, readMask(masks)]))
    },
    starts: async segments => {
      if (segments.length === 0) return new Map()
      const rows = await run(statements.starts, { segments: JSON.stringify(segments) })
      return new Map(rows.map(({ segment, starts }) => [segment, JSON.parse(starts)]))
    },
  }
}

/** The ids in the ranges, and all between that the index does not know in their present state. */
export async function idsOf(
  run: Run,
  statement: Statements['search']['idsWithin'],
  { ranges, lowest, beyond }: Candidates,
  event: number,
): Promise<string[]> {
  const rows = await run(statement, { ranges: JSON.stringify(ranges), lowest, beyond, event })
  return rows.map(({ id }) => id)
}

/** Higher than this id, and lower than any other that is: ids have one length. */
export function beyond(id: string): string {
  return `${id}0`
}
