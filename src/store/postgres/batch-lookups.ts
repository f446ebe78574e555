import { nextTick } from 'node:process'
import type { Connection, Lookup } from '../connection.ts'

interface Waiting {
  resolve(row: unknown): void
  reject(error: unknown): void
}

/** Reads or changes rows by id. All in the same turn of the event loop share one statement. */
export function batchLookups(rows: Connection['rows']): Connection['byId'] {
  const batches = new Map<Lookup<{ id: string }>, Map<string, Waiting[]>>()
  return (lookup, id) =>
    new Promise((resolve, reject) => {
      let batch = batches.get(lookup)
      if (!batch) {
        batch = new Map()
        batches.set(lookup, batch)
        nextTick(flush, lookup)
      }
      const sameId = batch.get(id)
      const waiting: Waiting = { resolve: row => resolve(row as never), reject }
      if (sameId) sameId.push(waiting)
      else batch.set(id, [waiting])
    })

  async function flush(lookup: Lookup<{ id: string }>) {
    const batch = batches.get(lookup) ?? new Map<string, Waiting[]>()
    batches.delete(lookup)
    const ids = [...batch.keys()]
    try {
      const found = await rows<{ id: string }>(...statementFor(lookup, ids))
      const byId = new Map(found.map(row => [row.id, row]))
      for (const [id, all] of batch) for (const { resolve } of all) resolve(byId.get(id))
    } catch (error) {
      for (const all of batch.values()) for (const { reject } of all) reject(error)
    }
  }
}

function statementFor({ one, many }: Lookup<{ id: string }>, ids: string[]): [string, unknown[]] {
  const [id = ''] = ids
  return ids.length === 1 ? [one.sql, one.bind({ id, now: 0 })] : [many.sql, many.bind({ ids })]
}
