import type { Span } from './shell/syntax-tree.ts'

/** Other text for a part of the command. An empty part is a place between two characters. */
export interface Edit {
  readonly span: Span
  readonly text: string
}

// More changes than these nobody reviews, and comparing all with all must stay cheap.
const mostEdits = 64

/** The command with all edits, of which those of the worst finding come first; null if there are none or too many. */
export function editCommand(command: string, sets: readonly (readonly Edit[])[]): string | null {
  const accepted: Edit[] = []
  for (const edits of sets) {
    // A loop or a function finds the same call again.
    const fresh = edits.filter(edit => !accepted.some(one => isSame(one, edit)))
    if (fresh.some(edit => accepted.some(one => overlaps(one, edit)))) continue
    accepted.push(...fresh)
    if (accepted.length > mostEdits) return null
  }
  if (accepted.length === 0) return null
  let text = ''
  let at = 0
  for (const edit of accepted.toSorted((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1])) {
    text += command.slice(at, edit.span[0]) + edit.text
    at = edit.span[1]
  }
  return text + command.slice(at)
}

/** A span that contains another one and all edits: what is marked for the person is all that changes. */
export function spanOver([from, to]: Span, edits: readonly Edit[]): Span {
  return [Math.min(from, ...edits.map(({ span }) => span[0])), Math.max(to, ...edits.map(({ span }) => span[1]))]
}

function isSame(one: Edit, other: Edit): boolean {
  return one.span[0] === other.span[0] && one.span[1] === other.span[1] && one.text === other.text
}

function overlaps({ span: [from, to] }: Edit, { span: [start, end] }: Edit): boolean {
  return from === start ? to === end || (from < to && start < end) : from < end && start < to
}
