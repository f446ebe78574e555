import type { Request } from '../../../src/protocol/request.ts'

/** What was answered, as texts. A dependency's value is sealed and in none of them. */
export function valuesOf({ kind, outcome }: Request, said = (label: string) => label): string[] {
  if (!outcome || kind === 'dependency') return []
  return outcome.answers.flatMap(({ selected, text }) => [...selected.map(said), ...(text ? [text] : [])])
}
