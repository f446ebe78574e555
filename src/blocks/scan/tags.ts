import { limits } from '../../protocol/limits.ts'
import type { Tag } from '../items.ts'

/** A line that opens a block or announces a completed phase. */
export interface Opening {
  tag: Tag
  phase: number | string | null
}

const block = /^\[(USER_QUESTION|DEPENDENCY_REQUEST|ERROR)(?: nonce=([\w-]+))?\]$/
const phase = /^=== PHASE (\S+) COMPLETE(?: nonce=([\w-]+))? ===$/
const task = /^=== CUSTOM TASK COMPLETE(?: nonce=([\w-]+))? ===$/

/** Parses a plain, trimmed line. With a nonce, lines that do not carry it are text; without one, any nonce is ignored. */
export function parseOpening(line: string, nonce: string | null): Opening | null {
  if (line[0] !== '[' && line[0] !== '=') return null
  const [, tag, blockNonce] = block.exec(line) ?? []
  if (tag) return ifAllowed({ tag: tag as Tag, phase: null }, blockNonce)
  const [, name, phaseNonce] = phase.exec(line) ?? []
  if (name && name.length <= limits.name) return ifAllowed({ tag: 'PHASE', phase: parsePhaseName(name) }, phaseNonce)
  const found = task.exec(line)
  return found ? ifAllowed({ tag: 'CUSTOM_TASK', phase: null }, found[1]) : null

  function ifAllowed(opening: Opening, carried: string | undefined): Opening | null {
    return nonce === null || carried === nonce ? opening : null
  }
}

/** Repeating the nonce is optional here: only a writer who knows it could open the block. */
export function isClosing(line: string, tag: Tag, nonce: string | null): boolean {
  return line === `[/${tag}]` || (nonce !== null && line === `[/${tag} nonce=${nonce}]`)
}

/** The number of backticks that open a fence on this line, or 0. Inline code between backticks is not a fence. */
export function openingFence(line: string): number {
  if (line[0] !== '`') return 0
  return /^(`{3,})[^`]*$/.exec(line)?.[1]?.length ?? 0
}

export function closesFence(line: string, ticks: number): boolean {
  return line.length >= ticks && /^`+$/.test(line)
}

/**
 * Every line that `parseOpening` or `openingFence` accepts contains one of these. Node searches for up to seven bytes with
 * memchr on the first: short terms that start with a rare byte are found ten times faster than the tags themselves.
 * Brackets are everywhere, so `[ERROR` is searched for without its own.
 */
export const searchTerms: readonly SearchTerm[] = [
  { bytes: Buffer.from('USER_QU') },
  { bytes: Buffer.from('DENCY_R') },
  { bytes: Buffer.from('ERROR'), after: '['.charCodeAt(0) },
  { bytes: Buffer.from('COMPLET') },
  { bytes: Buffer.from('```') },
]

export interface SearchTerm {
  bytes: Buffer
  /** The byte before it. */
  after?: number
}

/** The same for a line in Latin-1. */
export const anySearchTerm = /USER_QU|DENCY_R|\[ERROR|COMPLET|```/

function parsePhaseName(name: string): number | string {
  return /^\d{1,9}$/.test(name) ? Number(name) : name
}
