import type { Decision } from '../../../src/terminal/sheet.ts'

// What was sent from this page after somebody else had decided, so that the page can say so and give the words back.
const late = new Map<string, string>()

export function rememberLate(id: string, decision: Decision): void {
  late.set(id, wordsOf(decision))
}

/** Undefined where nothing of the kind happened; a secret is never given back. */
export function lateWords(id: string): string | undefined {
  return late.get(id)
}

function wordsOf(decision: Decision): string {
  if (decision.verb === 'decline') return decision.reason
  if (decision.verb === 'skip') return decision.note ?? ''
  const { answers = [], edited = '' } = decision.input
  return answers
    .flatMap(({ selected = [], text, note }) => [...selected, text ?? '', note ?? ''])
    .concat(edited)
    .filter(Boolean)
    .join('\n')
}
