import { limits } from '../../protocol/limits.ts'
import type { Tag } from '../items.ts'

/** The line that opens a block, or heads a completed phase. */
export interface Opening {
  tag: Tag
  phase: number | string | null
}

const block = /^\[(USER_QUESTION|DEPENDENCY_REQUEST|ERROR)(?: nonce=([\w-]+))?\]$/
const phase = /^=== PHASE (\S+) COMPLETE(?: nonce=([\w-]+))? ===$/
const task = /^=== CUSTOM TASK COMPLETE(?: nonce=([\w-]+))? ===$/

/**
 * Whether this line, plain and trimmed, opens something. With a nonce, what does not carry it is text; without one,
 * whatever nonce it carries is as good as none.
 */
export function readOpening(line: string, nonce: string | null): Opening | null {
  if (line[0] !== '[' && line[0] !== '=') return null
  const [, tag, blockNonce] = block.exec(line) ?? []
  if (tag) return admit({ tag: tag as Tag, phase: null }, blockNonce)
  const [, name, phaseNonce] = phase.exec(line) ?? []
  if (name && name.length <= limits.name) return admit({ tag: 'PHASE', phase: phaseOf(name) }, phaseNonce)
  const found = task.exec(line)
  return found ? admit({ tag: 'CUSTOM_TASK', phase: null }, found[1]) : null

  function admit(opening: Opening, carried: string | undefined): Opening | null {
    return nonce === null || carried === nonce ? opening : null
  }
}

/** The closing line may repeat the nonce and need not: only who could open the block can be inside of it. */
export function isClosing(line: string, tag: Tag, nonce: string | null): boolean {
  return line === `[/${tag}]` || (nonce !== null && line === `[/${tag} nonce=${nonce}]`)
}

/** How many backticks open a fence here; 0 where none does. A line with code between backticks is no fence. */
export function fenceOf(line: string): number {
  if (line[0] !== '`') return 0
  return /^(`{3,})[^`]*$/.exec(line)?.[1]?.length ?? 0
}

export function closesFence(line: string, ticks: number): boolean {
  return line.length >= ticks && /^`+$/.test(line)
}

/**
 * Every line that `readOpening` or `fenceOf` takes has one of these in it. Node looks for up to seven bytes by memchr of
 * the first: short ones that begin with a rare byte are found ten times faster than the tags themselves.
 */
export const marks = ['USER_QU', 'DENCY_R', '[ERROR', 'COMPLET', '```'].map(text => Buffer.from(text))

function phaseOf(name: string): number | string {
  return /^\d{1,9}$/.test(name) ? Number(name) : name
}
