import type { Item } from '../items.ts'
import { plainLine } from './plain-line.ts'
import { abandon, countLine, type Fence, finishPhase, type Line, readLine, type State, text } from './states.ts'
import { isClosing, readOpening } from './tags.ts'

export interface ReaderOptions {
  /** Only blocks that carry it count. */
  nonce: string | null
  /** A block or phase of more bytes is malformed. */
  blockBytes: number
  /** A block that is open for longer, in milliseconds, is malformed. */
  blockTime: number
}

/** Where reading can begin anew, and come to the same. */
export interface Restart {
  at: number
  /** The fence that the place is in. */
  fence: Fence | null
}

export interface Reader {
  /** Which lines it wants: those that may matter, the same and a count of the others, or every one. */
  interest(): 'tags' | 'counted' | 'all'
  /** How many bytes a line that starts here may have. */
  room(start: number): number
  line(line: string, start: number, end: number): void
  /** A line that cannot matter. */
  pass(): void
  /** A line of more bytes than there is room for, and its beginning. */
  overlong(beginning: string, start: number): void
  /** Whether this is a line that needs no line break when nothing follows. */
  isWhole(line: string): boolean
  silence(): void
  tick(now: number): void
  end(): void
  /** For a stream of which the line that starts here is not complete. */
  restart(lineStart: number): Restart
  /** What was found since the last time. */
  take(): Item[]
}

/** An opening line has nothing but spaces and colour beside its tag; the longest path of a phase fits, too. */
const lineBytes = 8_192

/** Reads lines, within the caps on size and time. */
export function createReader({ nonce, blockBytes, blockTime }: ReaderOptions, within: Fence | null): Reader {
  let state: State = within ? { in: 'fence', fence: { ...within } } : text
  let items: Item[] = []
  const voice = { nonce, tell: (item: Item) => items.push(item) }
  return { interest, room, line, pass, overlong, isWhole, silence, tick, end, restart, take }

  function interest() {
    if (state.in === 'text') return 'tags'
    return state.in === 'fence' ? 'counted' : 'all'
  }

  function room(start: number): number {
    if (state.in === 'text' || state.in === 'fence') return lineBytes
    // Negative past the end, so that even an empty line is one too many.
    const left = state.start + blockBytes - start
    return state.in === 'block' ? left : Math.min(lineBytes, left)
  }

  function line(raw: string, start: number, end: number) {
    state = readLine(state, toLine(raw, start, end), voice)
  }

  function pass() {
    if (state.in === 'fence') state = countLine(state, state.fence, voice)
  }

  function overlong(beginning: string, start: number) {
    const tooLong = `It is too long: at most ${blockBytes} bytes are read`
    if (state.in === 'block') {
      const { fence, lines } = state
      const cut = { ...state, lines: [...lines, plainLine(beginning)], end: state.start + blockBytes }
      state = abandon(cut, tooLong, voice)
      if (fence) state = countLine(state, fence, voice)
    } else if (state.in === 'phase' && room(start) < lineBytes) {
      voice.tell({ type: 'malformed', tag: state.tag, reason: tooLong, text: '', start: state.start, end: state.end })
      state = text
    } else if (state.in === 'phase') {
      state = finishPhase(state, voice)
    } else {
      pass()
    }
  }

  function isWhole(raw: string): boolean {
    const { trimmed } = toLine(raw, 0, 0)
    switch (state.in) {
      case 'text':
        return ['PHASE', 'CUSTOM_TASK'].includes(readOpening(trimmed, nonce)?.tag ?? '')
      case 'fence':
        return false
      case 'block':
        return isClosing(trimmed, state.tag, nonce)
      case 'phase':
        return state.phase.belongs(trimmed)
    }
  }

  function silence() {
    if (state.in === 'phase') state = finishPhase(state, voice)
  }

  function tick(now: number) {
    if (state.in !== 'block') return
    state.since ??= now
    if (now - state.since < blockTime) return
    state = abandon(state, `It was not closed within ${blockTime / 1_000} s: [/${state.tag}] is missing`, voice)
  }

  function end() {
    if (state.in === 'phase') finishPhase(state, voice)
    if (state.in === 'block') abandon(state, `The output ended before [/${state.tag}]`, voice)
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
