import type { Item } from '../items.ts'
import type { FenceLine } from './fence-line.ts'
import { plainLine } from './plain-line.ts'
import {
  abandon,
  countLine,
  type Fence,
  finishPhase,
  type Line,
  readFenceLine,
  readLine,
  type State,
  text,
} from './states.ts'
import { isClosing, parseOpening } from './tags.ts'

export interface ReaderOptions {
  /** If set, only blocks that carry it count. */
  nonce: string | null
  /** A larger block or phase is malformed. */
  blockBytes: number
  /** A block that stays open for longer, in milliseconds, is malformed. */
  blockTime: number
}

/** Where another reader can continue with the same result. */
export interface Restart {
  at: number
  /** The fence around this position. */
  fence: Fence | null
}

export interface Reader {
  /** Which lines it needs: candidates for tags, those and a count of the others, or all. */
  interest(): 'tags' | 'counted' | 'all'
  /** How many bytes a line that starts here may have at most. */
  room(start: number): number
  line(line: string, start: number, end: number): void
  /** A line that was recognised without decoding it. Only where not all lines are needed. */
  fenceLine(line: FenceLine): void
  /** Lines that are not candidates, at most as many as `linesLeft`. */
  countLines(count: number): void
  /** How many lines are left to count before it needs others. */
  linesLeft(): number
  /** The beginning of a line that is too long. */
  overlong(beginning: string, start: number): void
  /** Whether this line counts even without a line break, once nothing follows. */
  isComplete(line: string): boolean
  silence(): void
  tick(now: number): void
  end(): void
  /** For a stream whose last, incomplete line starts here. */
  restart(lineStart: number): Restart
  /** The items found since the last call. */
  take(): Item[]
}

/** Enough for an opening line with colours and spaces, and for the longest path in a phase. */
const lineBytes = 8_192

/** Reads lines, within the limits on size and time. */
export function createReader({ nonce, blockBytes, blockTime }: ReaderOptions, within: Fence | null): Reader {
  let state: State = within ? { in: 'fence', fence: { ...within } } : text
  let items: Item[] = []
  const context = { nonce, emit: (item: Item) => items.push(item) }
  return {
    interest,
    room,
    line,
    fenceLine,
    countLines,
    linesLeft,
    overlong,
    isComplete,
    silence,
    tick,
    end,
    restart,
    take,
  }

  function interest() {
    if (state.in === 'text') return 'tags'
    return state.in === 'fence' ? 'counted' : 'all'
  }

  function room(start: number): number {
    if (state.in === 'text' || state.in === 'fence') return lineBytes
    // Negative past the limit, so that even an empty line exceeds it.
    const left = state.start + blockBytes - start
    return state.in === 'block' ? left : Math.min(lineBytes, left)
  }

  function line(raw: string, start: number, end: number) {
    state = readLine(state, toLine(raw, start, end), context)
  }

  function fenceLine(line: FenceLine) {
    state = readFenceLine(state, line, context)
  }

  function countLines(count: number) {
    if (state.in !== 'fence' || count === 0) return
    state.fence.linesLeft -= count - 1
    state = countLine(state, state.fence, context)
  }

  function linesLeft(): number {
    return state.in === 'fence' ? state.fence.linesLeft : 0
  }

  function overlong(beginning: string, start: number) {
    const tooLong = `It is too long: the limit is ${blockBytes} bytes`
    if (state.in === 'block') {
      const { fence, lines } = state
      const cut = { ...state, lines: [...lines, plainLine(beginning)], end: state.start + blockBytes }
      state = abandon(cut, tooLong, context)
      if (fence) state = countLine(state, fence, context)
    } else if (state.in === 'phase' && room(start) < lineBytes) {
      context.emit({ type: 'malformed', tag: state.tag, reason: tooLong, text: '', start: state.start, end: state.end })
      state = text
    } else if (state.in === 'phase') {
      state = finishPhase(state, context)
    } else {
      countLines(1)
    }
  }

  function isComplete(raw: string): boolean {
    const { trimmed } = toLine(raw, 0, 0)
    switch (state.in) {
      case 'text':
        return ['PHASE', 'CUSTOM_TASK'].includes(parseOpening(trimmed, nonce)?.tag ?? '')
      case 'fence':
        return false
      case 'block':
        return isClosing(trimmed, state.tag, nonce)
      case 'phase':
        return state.phase.belongs(trimmed)
    }
  }

  function silence() {
    if (state.in === 'phase') state = finishPhase(state, context)
  }

  function tick(now: number) {
    if (state.in !== 'block') return
    state.since ??= now
    if (now - state.since < blockTime) return
    state = abandon(state, `It was not closed within ${blockTime / 1_000} s: [/${state.tag}] is missing`, context)
  }

  function end() {
    if (state.in === 'phase') finishPhase(state, context)
    if (state.in === 'block') abandon(state, `The output ended before [/${state.tag}]`, context)
    state = text
  }

  function restart(lineStart: number): Restart {
    switch (state.in) {
      case 'text':
        return { at: lineStart, fence: null }
      case 'fence':
        return { at: lineStart, fence: { ...state.fence } }
      case 'block':
        return { at: state.start, fence: state.fence && { ticks: state.fence.ticks, linesLeft: state.linesLeft } }
      case 'phase':
        return { at: state.start, fence: null }
    }
  }

  function take(): Item[] {
    const taken = items
    items = []
    return taken
  }
}

function toLine(raw: string, start: number, end: number): Line {
  const plain = plainLine(raw)
  return { plain, trimmed: plain.trim(), start, end }
}
