import type { Request } from '../../../src/protocol/request.ts'
import { labelOf } from '../request/labels.ts'

/** What was answered, as texts. A dependency's value is sealed and in none of them. */
export function valuesOf(request: Request): string[] {
  const { kind, outcome } = request
  if (!outcome || kind === 'dependency') return []
  return outcome.answers.flatMap(({ selected, text }) => [
    ...selected.map(label => labelOf(request, label)),
    ...(text ? [text] : []),
  ])
}
