import type { Item, Tag } from '../items.ts'
import { isErrorField } from '../parse/error-report.ts'
import { parseBlock } from '../parse/parse-block.ts'
import { createPhase, type Phase } from '../parse/phase.ts'
import { closesFence, fenceOf, isClosing, type Opening, readOpening } from './tags.ts'

/**
 * Where in the language a stream is. `text` looks for openings and fences. `fence` counts its lines, because a fence
 * that is never closed must not hide questions for ever; blocks in it are collected and told as fenced. `block` collects
 * lines until its closing line; another opening begins anew. `phase` has no closing line: it goes on as long as its
 * lines do.
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
  /** By the clock of the first tick that saw it. */
  since: number | null
  fence: Fence | null
  /** How far its fence still went when it began. */
  linesLeft: number
}
export type PhaseState = { in: 'phase'; tag: Tag; start: number; end: number; phase: Phase }

export interface Fence {
  ticks: number
  linesLeft: number
}

/** A line without colour and carriage returns, as it stands and trimmed. */
export interface Line {
  plain: string
  trimmed: string
  start: number
  end: number
}

export interface Voice {
  nonce: string | null
  tell(item: Item): void
}

export const text: Text = { in: 'text' }

const fenceLines = 200

export function readLine(state: State, line: Line, voice: Voice): State {
  switch (state.in) {
    case 'text':
      return readText(line, voice)
    case 'fence':
      return readFence(state, line, voice)
    case 'block':
      return readBlock(state, line, voice)
    case 'phase':
      return readPhase(state, line, voice)
  }
}

/** A line of a fence that says nothing is counted all the same. */
export function countLine(state: State, fence: Fence, voice: Voice): State {
  fence.linesLeft -= 1
  if (fence.linesLeft > 0) return state
  if (state.in === 'block') abandon(state, 'The fence around it ended', voice)
  return text
}

/** Tells of a block that will not be closed any more; a bare [ERROR] was none. */
export function abandon(block: Block, reason: string, { tell }: Voice): State {
  const { tag, start, end, fence, lines } = block
  const content = lines.join('\n')
  if (tag === 'ERROR' && lines.length === 0) return around(block)
  if (fence) tell({ type: 'fenced', tag, text: content, start, end })
  else tell({ type: 'malformed', tag, reason, text: content, start, end })
  return around(block)
}

export function finishPhase({ tag, start, end, phase }: PhaseState, { tell }: Voice): State {
  tell({ ...phase.finish(tag), start, end })
  return text
}

function readText(line: Line, voice: Voice): State {
  const opening = readOpening(line.trimmed, voice.nonce)
  if (opening) return open(opening, line, null, voice)
  const ticks = fenceOf(line.trimmed)
  return ticks > 0 ? { in: 'fence', fence: { ticks, linesLeft: fenceLines } } : text
}

function open({ tag, phase }: Opening, { start, end }: Line, fence: Fence | null, { tell }: Voice): State {
  if (tag !== 'PHASE' && tag !== 'CUSTOM_TASK') {
    return { in: 'block', tag, start, end, lines: [], since: null, fence, linesLeft: fence?.linesLeft ?? 0 }
  }
  if (!fence) return { in: 'phase', tag, start, end, phase: createPhase(phase) }
  tell({ type: 'fenced', tag, text: '', start, end })
  return { in: 'fence', fence }
}

function readFence(state: InFence, line: Line, voice: Voice): State {
  const { fence } = state
  if (closesFence(line.trimmed, fence.ticks)) return text
  const opening = readOpening(line.trimmed, voice.nonce)
  return countLine(opening ? open(opening, line, fence, voice) : state, fence, voice)
}

function readBlock(block: Block, line: Line, voice: Voice): State {
  const { fence, tag, lines } = block
  if (fence && closesFence(line.trimmed, fence.ticks)) {
    abandon(block, 'The fence around it ended', voice)
    return text
  }
  // Build tools print a bare [ERROR] between the lines of their reports.
  if (tag === 'ERROR' && lines.length === 0 && !isPartOfError(line.trimmed, voice)) {
    return readLine(around(block), line, voice)
  }
  const next = readInside(block, line, voice)
  return fence ? countLine(next, fence, voice) : next
}

function isPartOfError(line: string, { nonce }: Voice): boolean {
  return line === '' || isErrorField(line) || isClosing(line, 'ERROR', nonce)
}

function readInside(block: Block, line: Line, voice: Voice): State {
  const { tag, lines, fence } = block
  if (isClosing(line.trimmed, tag, voice.nonce)) return finish({ ...block, end: line.end }, voice)
  const opening = readOpening(line.trimmed, voice.nonce)
  if (opening) {
    abandon(block, `It was not closed: another block began before [/${tag}]`, voice)
    return open(opening, line, fence, voice)
  }
  if (line.trimmed !== '' || lines.length > 0) lines.push(line.plain)
  block.end = line.end
  return block
}

function finish(block: Block, voice: Voice): State {
  const { tag, start, end, fence, lines } = block
  const content = lines.join('\n')
  if (fence) voice.tell({ type: 'fenced', tag, text: content, start, end })
  else voice.tell({ ...parseBlock(tag, content), start, end })
  return around(block)
}

function readPhase(state: PhaseState, line: Line, voice: Voice): State {
  const meaning = state.phase.read(line.trimmed)
  if (meaning === 'foreign') {
    finishPhase(state, voice)
    return readText(line, voice)
  }
  if (line.trimmed !== '') state.end = line.end
  return meaning === 'last' ? finishPhase(state, voice) : state
}

/** Where a stream is when a block is over. */
function around({ fence }: Block): State {
  return fence ? { in: 'fence', fence } : text
}
