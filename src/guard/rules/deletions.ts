import type { ProgramCall } from '../program-call.ts'
import { firstWords } from './first-words.ts'

/** What one program calls deleting. All given conditions must hold. */
interface Deletion {
  /** Matches the first operands, joined by spaces. */
  sub?: RegExp
  /** One of these options is given. */
  any?: readonly string[]
  /** None of these is given: they make it a rehearsal, or limit it to what is disposable. */
  none?: readonly string[]
}

/** Programs that delete in their own words; several entries are alternatives. */
export type Deletions = Readonly<Record<string, Deletion | readonly Deletion[]>>

/** Whether the call deletes something, by the table of its kind of programs. */
export function deletes(call: ProgramCall, table: Deletions): boolean {
  const name = call.program.replace(/\.(sh|py|bat)$/, '')
  const entries = Object.hasOwn(table, name) ? [table[name] ?? []].flat() : []
  return entries.some(
    ({ sub, any, none }) =>
      (sub === undefined || sub.test(firstWords(call))) &&
      (any === undefined || call.has(...any)) &&
      (none === undefined || !call.has(...none)),
  )
}
