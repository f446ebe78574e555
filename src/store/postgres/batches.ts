import { nextTick } from 'node:process'
import type { Connection } from '../connection.ts'
import type { Batch, Columns } from '../prepare.ts'

interface Member {
  values: unknown
  resolve(rows: never): void
  reject(error: unknown): void
}

type AnyBatch = Batch<never>

/** Runs a statement for each set of values. All in the same turn of the event loop share one statement. */
export function shareStatements(rows: Connection['rows']): Connection['batched'] {
  const batches = new Map<AnyBatch, Member[]>()
  return (batch, values) =>
    new Promise((resolve, reject) => {
      let members = batches.get(batch)
      if (!members) {
        members = []
        batches.set(batch, members)
        nextTick(flush, batch)
      }
      members.push({ values, resolve, reject })
    })

  function flush(batch: AnyBatch) {
    const members = batches.get(batch) ?? []
    batches.delete(batch)
    void runTogether(rows, batch, members)
  }
}

/** Keeps statements without a result back until `flush`, and runs those that follow each other with the same one as one. */
export function deferStatements(rows: Connection['rows']) {
  let batch: AnyBatch | null = null
  let members: Member[] = []
  return { send, flush }

  function send<Values>(next: Batch<Values>, values: Values): Promise<unknown> {
    if (batch !== next) flush()
    batch = next
    return new Promise((resolve, reject) => members.push({ values, resolve, reject }))
  }

  function flush() {
    const [same, together] = [batch, members]
    batch = null
    members = []
    if (same) void runTogether(rows, same, together)
  }
}

async function runTogether(rows: Connection['rows'], batch: AnyBatch, members: readonly Member[]): Promise<void> {
  try {
    const found = await rows<{ asked?: number }>(
      ...statementFor(
        batch,
        members.map(({ values }) => values),
      ),
    )
    const each = members.length === 1 ? [found] : members.map((): typeof found => [])
    if (members.length > 1) for (const row of found) each[(row.asked ?? 0) - 1]?.push(row)
    for (const [i, { resolve }] of members.entries()) resolve(each[i] as never)
  } catch (error) {
    for (const { reject } of members) reject(error)
  }
}

function statementFor({ one, many }: AnyBatch, values: readonly unknown[]): [string, unknown[]] {
  const [first] = values
  return values.length === 1
    ? [one.sql, one.bind(first as never)]
    : [many.sql, many.bind(columnsOf(values as Record<string, unknown>[]) as never)]
}

function columnsOf(rows: readonly Record<string, unknown>[]): Columns<Record<string, unknown>> {
  const names = Object.keys(rows[0] ?? {})
  return Object.fromEntries(names.map(name => [name, rows.map(row => row[name])]))
}
