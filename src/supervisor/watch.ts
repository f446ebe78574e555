import type { Item } from '../blocks/items.ts'
import { createScanner, type ScannerMark } from '../blocks/scan/scanner.ts'
import { createUnwrapper, type UnwrapperState } from '../blocks/unwrap/unwrap.ts'
import type { Output } from './holder/frames.ts'

export type Format = 'text' | 'claude' | 'codex'

export interface WatchOptions {
  format: Format
  nonce: string | null
  /** Where another watcher stood. */
  from: Watched | null
}

/** All that is needed to go on from an offset of the holder; plain data. */
export interface Watched {
  /** Bytes of the agent's stdout before it. */
  out: number
  scanner: ScannerMark
  /** With a format: the reader of its events, and how much of what it says next was scanned already. */
  unwrapper: { state: UnwrapperState; scanned: number } | null
}

export interface Watcher {
  take(output: Output): Item[]
  tick(now: number): Item[]
  end(): Item[]
  /** Nothing before this offset is needed any more. */
  safe(): { offset: number; watched: Watched }
  session(): string | null
}

const newline = 10

/** Finds blocks in the output of a run, and knows how far it needs none of it any more: from there, another goes on. */
export function createWatcher({ format, nonce, from }: WatchOptions): Watcher {
  const scanner = createScanner({ nonce, ...(from ? { from: from.scanner } : {}) })
  const reading = format === 'text' ? null : readEvents(format, from)
  let out = from?.out ?? 0
  let end: number | null = null
  /** Pieces of stdout of which something is still needed. */
  let pieces: { out: number; offset: number; length: number }[] = []
  return { take, tick: scanner.tick, end: finish, safe, session: () => reading?.session() ?? null }

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
    const place = reading?.placeOf(mark.at) ?? { out: mark.at, unwrapper: null }
    pieces = pieces.filter(piece => piece.out + piece.length > place.out)
    const [piece] = pieces
    const offset = piece ? piece.offset + Math.max(0, place.out - piece.out) : (end ?? 0)
    return { offset, watched: { ...place, scanner: mark } }
  }
}

/** Event lines into text; and back from a place in the text to the line that it came from. */
function readEvents(format: Exclude<Format, 'text'>, from: Watched | null) {
  const unwrapper = createUnwrapper(format, from?.unwrapper?.state)
  let skip = from?.unwrapper?.scanned ?? 0
  let read = from?.out ?? 0
  let said = (from?.scanner.at ?? 0) - skip
  /** Where lines ended that may still be needed. */
  let ends = [{ out: read, said, state: unwrapper.state() }]
  return { push, end: () => fresh(unwrapper.end()), placeOf, session: unwrapper.session }

  function push(bytes: Buffer): Buffer {
    const texts: Buffer[] = []
    for (let start = 0; start < bytes.length; ) {
      const stop = bytes.indexOf(newline, start) + 1 || bytes.length
      const text = unwrapper.push(bytes.subarray(start, stop))
      said += text.length
      read += stop - start
      texts.push(fresh(text))
      if (bytes[stop - 1] === newline) ends.push({ out: read, said, state: unwrapper.state() })
      start = stop
    }
    return Buffer.concat(texts)
  }

  /** Without what a watcher before us has scanned. */
  function fresh(text: Buffer): Buffer {
    const known = Math.min(skip, text.length)
    skip -= known
    return text.subarray(known)
  }

  function placeOf(at: number) {
    const last = ends.findLastIndex(place => place.said <= at)
    ends = ends.slice(Math.max(0, last))
    const [{ out, said, state } = { out: read, said: at, state: unwrapper.state() }] = ends
    return { out, unwrapper: { state, scanned: at - said } }
  }
}
