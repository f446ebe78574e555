import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MalformedItem } from '../blocks/items.ts'
import type { AskInput } from '../protocol/ask.ts'
import type { Request } from '../protocol/request.ts'
import { writeFileAtomically } from '../system/atomic-file.ts'

// A model that gets a block wrong is told why, and mostly gets it right then. One that keeps getting it wrong would go on
// for ever, and every turn costs money: after three errors in a row, a person says what it should be told.

/** Plain data; another supervisor continues with it. */
export interface Refusals {
  /** How many errors the agent was given since it last wrote a block that could be read. */
  inRow: number
  /** Errors that the agent has not got yet. */
  replies: readonly Refusal[]
}

/** The error about one block. */
export interface Refusal {
  /** The place of the block. */
  id: string
  reply: string
  /** The request that was printed last before it; replies come in the order of the blocks. */
  after: string | null
}

export const maxErrorsInRow = 3
const keyPrefix = 'unreadable-block-'
const maxReason = 2_000
const maxShown = 20_000

/** The question for a person; `turn` and the block's place make it the same one when another supervisor reads it again. */
export function askAboutBlock({ tag, reason, text, start }: MalformedItem, turn: string) {
  const question = `The agent keeps writing a [${tag}] block that cannot be read: ${reason.slice(0, maxReason)}\nWhat should it be told?`
  return {
    kind: 'question',
    required: true,
    questions: [{ question, header: 'Unreadable block', category: 'clarification' }],
    context: text === '' ? null : `It wrote:\n\n${text.slice(0, maxShown).replaceAll(/^/gm, '    ')}`,
    key: `${keyPrefix}${turn}-${start}`,
  } satisfies AskInput
}

/** Why the run ends: a person does not want to tell the agent anything. Null for every other request. */
export function whyGivenUp({ key, status, outcome }: Request): string | null {
  if (!key?.startsWith(keyPrefix) || status !== 'declined') return null
  const reason = outcome?.reason
  return `Its agent kept writing a block that cannot be read${reason ? `, and a person gave up on it: ${reason}` : '.'}`
}

/** Puts each error behind what was asked before it; `ids` are in the order of asking. */
export function inOrderOfBlocks(ids: readonly string[], refusals: readonly Refusal[]): (string | Refusal)[] {
  // What is not among them was replied to before.
  const isFirst = ({ after }: Refusal) => after === null || !ids.includes(after)
  return [...refusals.filter(isFirst), ...ids.flatMap(id => [id, ...refusals.filter(({ after }) => after === id)])]
}

/** Saved in the run's folder when the agent has ended, for its next start. */
export function saveRefusals(folder: string, refusals: Refusals): void {
  writeFileAtomically(join(folder, 'refusals.json'), JSON.stringify(refusals))
}

export function readRefusals(folder: string): Refusals {
  try {
    return JSON.parse(readFileSync(join(folder, 'refusals.json'), 'utf8'))
  } catch {
    return { inRow: 0, replies: [] }
  }
}
