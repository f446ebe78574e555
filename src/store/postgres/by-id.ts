import { nextTick } from 'node:process'
import type { ById, Connection } from '../connection.ts'

interface Asked {
  resolve(row: unknown): void
  reject(error: unknown): void
}

/** Looks rows up by id; whoever asks in the same turn of the event loop shares one statement. */
export function gatherById(rows: Connection['rows']): Connection['byId'] {
  const gathering = new Map<ById<{ id: string }>, Map<string, Asked[]>>()
  return (look, id) =>
    new Promise((resolve, reject) => {
      let asked = gathering.get(look)
      if (!asked) {
        asked = new Map()
        gathering.set(look, asked)
        nextTick(flush, look)
      }
      const sameId = asked.get(id)
      const one: Asked = { resolve: row => resolve(row as never), reject }
      if (sameId) sameId.push(one)
      else asked.set(id, [one])
    })

  async function flush(look: ById<{ id: string }>) {
    const asked = gathering.get(look) ?? new Map<string, Asked[]>()
    gathering.delete(look)
    const ids = [...asked.keys()]
    try {
      const found = await rows<{ id: string }>(...statementFor(look, ids))
      const byId = new Map(found.map(row => [row.id, row]))
      for (const [id, all] of asked) for (const { resolve } of all) resolve(byId.get(id))
    } catch (error) {
      for (const all of asked.values()) for (const { reject } of all) reject(error)
    }
  }
}

function statementFor({ one, many }: ById<{ id: string }>, ids: string[]): [string, unknown[]] {
  const [id = ''] = ids
  return ids.length === 1 ? [one.sql, one.bind({ id })] : [many.sql, many.bind({ ids })]
}
