import type { Item, Tag } from '../items.ts'
import { isErrorField } from '../parse/error-report.ts'
import { parseBlock } from '../parse/parse-block.ts'
import { createPhaseParser, type PhaseParser } from '../parse/phase.ts'
import { validateItem } from '../validate-item.ts'
import type { FenceLine } from './fence-line.ts'
import { closesFence, isClosing, type Opening, openingFence, parseOpening } from './tags.ts'

/**
 * `text` looks for opening lines and fences. `fence` counts its lines, because a fence that is never closed must not hide
 * questions forever; blocks in it are collected and emitted as fenced. `block` collects lines until its closing line;
 * another opening line starts a new block. `phase` has no closing line: it continues as long as its lines do.
 */
export type State = Text | InFence | Block | PhaseState

export type Text = { in: 'text' }
type InFence = { in: 'fence'; fence: Fence }
export type Block = {
  in: 'block'
  tag: Tag
  start: number
  end: number
  lines: string[]
  /** The time of the first tick after it was opened. */
  since: number | null
  fence: Fence | null
  /** How many lines its fence had left when it was opened. */
  linesLeft: number
}
export type PhaseState = { in: 'phase'; tag: Tag; start: number; end: number; phase: PhaseParser }

export interface Fence {
  ticks: number
  linesLeft: number
}

/** A line without escape sequences and carriage returns, untrimmed and trimmed. */
export interface Line {
  plain: string
  trimmed: string
  start: number
  end: number
}

export interface ScanContext {
  nonce: string | null
  emit(item: Item): void
}

export const text: Text = { in: 'text' }

const fenceLines = 200

export function readLine(state: State, line: Line, context: ScanContext): State {
  switch (state.in) {
    case 'text':
      return readText(line, context)
    case 'fence':
      return readFence(state, line, context)
    case 'block':
      return readBlock(state, line, context)
    case 'phase':
      return readPhase(state, line, context)
  }
}

/** The same as `readLine` in text and in a fence, for a line of backticks that was not decoded. */
export function readFenceLine(state: State, { ticks, isBare }: FenceLine, context: ScanContext): State {
  if (state.in === 'text') return { in: 'fence', fence: { ticks, linesLeft: fenceLines } }
  if (state.in !== 'fence') return state
  return isBare && ticks >= state.fence.ticks ? text : countLine(state, state.fence, context)
}

/** Counts a line of a fence, and ends the fence after too many. */
export function countLine(state: State, fence: Fence, context: ScanContext): State {
  fence.linesLeft -= 1
  if (fence.linesLeft > 0) return state
  if (state.in === 'block') abandon(state, 'The fence around it ended', context)
  return text
}

/** Emits a block that will not be closed any more. A bare [ERROR] line was not a block. */
export function abandon(block: Block, reason: string, { emit }: ScanContext): State {
  const { tag, start, end, fence, lines } = block
  const content = lines.join('\n')
  if (tag === 'ERROR' && lines.length === 0) return stateAfter(block)
  if (fence) emit({ type: 'fenced', tag, text: content, start, end })
  else emit({ type: 'malformed', tag, reason, text: content, start, end })
  return stateAfter(block)
}

export function finishPhase({ tag, start, end, phase }: PhaseState, { emit }: ScanContext): State {
  const item = { ...phase.finish(), start, end }
  emit(validateItem(item, tag, item.files.join('\n')))
  return text
}

function readText(line: Line, context: ScanContext): State {
  const opening = parseOpening(line.trimmed, context.nonce)
  if (opening) return open(opening, line, null, context)
  const ticks = openingFence(line.trimmed)
  return ticks > 0 ? { in: 'fence', fence: { ticks, linesLeft: fenceLines } } : text
}

function open({ tag, phase }: Opening, { start, end }: Line, fence: Fence | null, { emit }: ScanContext): State {
  if (tag !== 'PHASE' && tag !== 'CUSTOM_TASK') {
    return { in: 'block', tag, start, end, lines: [], since: null, fence, linesLeft: fence?.linesLeft ?? 0 }
  }
  if (!fence) return { in: 'phase', tag, start, end, phase: createPhaseParser(phase) }
  emit({ type: 'fenced', tag, text: '', start, end })
  return { in: 'fence', fence }
}

function readFence(state: InFence, line: Line, context: ScanContext): State {
  const { fence } = state
  if (closesFence(line.trimmed, fence.ticks)) return text
  const opening = parseOpening(line.trimmed, context.nonce)
  return countLine(opening ? open(opening, line, fence, context) : state, fence, context)
}

function readBlock(block: Block, line: Line, context: ScanContext): State {
  const { fence, tag, lines } = block
  if (fence && closesFence(line.trimmed, fence.ticks)) {
    abandon(block, 'The fence around it ended', context)
    return text
  }
  // Build tools print a bare [ERROR] line in their reports.
  if (tag === 'ERROR' && lines.length === 0 && !isPartOfError(line.trimmed, context)) {
    return readLine(stateAfter(block), line, context)
  }
  const next = readInside(block, line, context)
  return fence ? countLine(next, fence, context) : next
}

function isPartOfError(line: string, { nonce }: ScanContext): boolean {
  return line === '' || isErrorField(line) || isClosing(line, 'ERROR', nonce)
}

function readInside(block: Block, line: Line, context: ScanContext): State {
  const { tag, lines, fence } = block
  if (isClosing(line.trimmed, tag, context.nonce)) return finish({ ...block, end: line.end }, context)
  const opening = parseOpening(line.trimmed, context.nonce)
  if (opening) {
    abandon(block, `It was not closed: another block began before [/${tag}]`, context)
    return open(opening, line, fence, context)
  }
  if (line.trimmed !== '' || lines.length > 0) lines.push(line.plain)
  block.end = line.end
  return block
}

function finish(block: Block, context: ScanContext): State {
  const { tag, start, end, fence, lines } = block
  const content = lines.join('\n')
  if (fence) context.emit({ type: 'fenced', tag, text: content, start, end })
  else context.emit(validateItem({ ...parseBlock(tag, content), start, end }, tag, content))
  return stateAfter(block)
}

function readPhase(state: PhaseState, line: Line, context: ScanContext): State {
  const meaning = state.phase.read(line.trimmed)
  if (meaning === 'foreign') {
    finishPhase(state, context)
    return readText(line, context)
  }
  if (line.trimmed !== '') state.end = line.end
  return meaning === 'last' ? finishPhase(state, context) : state
}

/** The state after a block. */
function stateAfter({ fence }: Block): State {
  return fence ? { in: 'fence', fence } : text
}
