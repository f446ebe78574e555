import type { Item } from '../blocks/items.ts'
import { createScanner, type ScannerMark } from '../blocks/scan/scanner.ts'
import { createUnwrapper, type UnwrapperState } from '../blocks/unwrap/unwrap.ts'
import type { Output } from './holder/frames.ts'

export type Format = 'text' | 'claude' | 'codex'

export interface WatchOptions {
  format: Format
  nonce: string | null
  /** Where another watcher stopped. */
  from: Watched | null
}

/** Everything needed to continue from an offset of the holder; plain data. */
export interface Watched {
  /** Bytes of the agent's stdout before that offset. */
  out: number
  scanner: ScannerMark
  /** With a format: the reader of its events, and how much of its next text was scanned already. */
  unwrapper: { state: UnwrapperState; scanned: number } | null
}

export interface Watcher {
  take(output: Output): Item[]
  tick(now: number): Item[]
  end(): Item[]
  /** The offset before which no output is needed any more. */
  safe(): { offset: number; watched: Watched }
  session(): string | null
  /** Whether the agent has begun a block and not completed it. */
  isInside(): boolean
}

const newline = 10

/** Finds blocks in the output of a run, and knows from which offset another watcher can continue. */
export function createWatcher({ format, nonce, from }: WatchOptions): Watcher {
  const scanner = createScanner({ nonce, ...(from ? { from: from.scanner } : {}) })
  const reading = format === 'text' ? null : readEvents(format, from)
  let out = from?.out ?? 0
  let end: number | null = null
  /** Pieces of stdout that are still needed, in whole or in part. */
  let pieces: { out: number; offset: number; length: number }[] = []
  const session = () => reading?.session() ?? null
  return { take, tick: scanner.tick, end: finish, safe, session, isInside: scanner.isInside }

  function take({ stream, offset, bytes }: Output): Item[] {
    end = offset + bytes.length
    if (stream !== 'out') return []
    pieces.push({ out, offset, length: bytes.length })
    out += bytes.length
    return scanner.push(reading ? reading.push(bytes) : bytes)
  }

  function finish(): Item[] {
    return [...(reading ? scanner.push(reading.end()) : []), ...scanner.end()]
  }

  function safe() {
    const mark = scanner.mark()
    const position = reading?.positionOf(mark.at) ?? { out: mark.at, unwrapper: null }
    pieces = pieces.filter(piece => piece.out + piece.length > position.out)
    const [piece] = pieces
    const offset = piece ? piece.offset + Math.max(0, position.out - piece.out) : (end ?? 0)
    return { offset, watched: { ...position, scanner: mark } }
  }
}

/** Turns event lines into text, and finds the line that a position in the text came from. */
function readEvents(format: Exclude<Format, 'text'>, from: Watched | null) {
  const unwrapper = createUnwrapper(format, from?.unwrapper?.state)
  let skip = from?.unwrapper?.scanned ?? 0
  let read = from?.out ?? 0
  let text = (from?.scanner.at ?? 0) - skip
  /** The ends of lines that may still be needed: bytes of stdout and of text before them. */
  let ends = [{ out: read, text, state: unwrapper.state() }]
  return { push, end: () => fresh(unwrapper.end()), positionOf, session: unwrapper.session }

  function push(bytes: Buffer): Buffer {
    const texts: Buffer[] = []
    for (let start = 0; start < bytes.length; ) {
      const stop = bytes.indexOf(newline, start) + 1 || bytes.length
      const unwrapped = unwrapper.push(bytes.subarray(start, stop))
      text += unwrapped.length
      read += stop - start
      texts.push(fresh(unwrapped))
      if (bytes[stop - 1] === newline) ends.push({ out: read, text, state: unwrapper.state() })
      start = stop
    }
    return Buffer.concat(texts)
  }

  /** Without the text that a watcher before us scanned. */
  function fresh(text: Buffer): Buffer {
    const known = Math.min(skip, text.length)
    skip -= known
    return text.subarray(known)
  }

  function positionOf(at: number) {
    const last = ends.findLastIndex(end => end.text <= at)
    ends = ends.slice(Math.max(0, last))
    const [{ out, text, state } = { out: read, text: at, state: unwrapper.state() }] = ends
    return { out, unwrapper: { state, scanned: at - text } }
  }
}
