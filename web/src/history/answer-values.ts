import type { Request } from '../../../src/protocol/request.ts'

/** The answers as texts. The value of a dependency is sealed, so it is never among them. */
export function answerValues({ kind, outcome }: Request, toText = (label: string) => label): string[] {
  if (!outcome || kind === 'dependency') return []
  return outcome.answers.flatMap(({ selected, text }) => [...selected.map(toText), ...(text ? [text] : [])])
}
