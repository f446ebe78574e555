import { EventEmitter } from 'node:events'
import { emitKeypressEvents, type Interface, type Key as NodeKey } from 'node:readline'
import { setRawMode } from './raw-mode.ts'
import type { Terminal } from './terminal.ts'

export interface Key {
  /** `up`, `return`, `a` …; empty if the key has no name. */
  name: string
  /** The text that the key inserts, if any. */
  text: string
  ctrl: boolean
  alt: boolean
  shift: boolean
  /** Pasted rather than typed: then Enter is only a line break. */
  pasted: boolean
  /** Repeated faster than a finger can press it: the key is held down. */
  held: boolean
  /** Arrived in one chunk with the words before it, like a paste in a terminal without bracketed paste. */
  hasty: boolean
}

/** Whether a person pressed Enter, once and on its own. */
export function isEnter({ name, ctrl, alt, pasted, held }: Key): boolean {
  return name === 'return' && !ctrl && !alt && !pasted && !held
}

/** In a field of a single line, a line break inserts nothing. */
export function withoutLineBreak(key: Key): Key {
  return key.name === 'enter' || key.name === 'return' ? { ...key, name: '', text: '' } : key
}

export const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' }
// Keyboards repeat a held key about every 30 ms; pressing a key twice takes longer.
const repeatTime = 45
// A paste whose end marker got lost ends after this silence.
const pasteSilence = 1_000
// Terminals send these unasked: mouse reports, and replies to queries of other programs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const reports = /\x1b\[<[\d;]*[Mm]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P^_][^\x1b]*\x1b\\/g

/** Reads the keyboard key by key. Returns a function that stops reading and restores the terminal. */
export function readKeys({ input, output }: Terminal, onKey: (key: Key) => void, onEnd: () => void): () => void {
  const source = new EventEmitter()
  let pasting = false
  let burst = false
  let hasty = false
  let last = { name: '', at: 0 }
  let lastChunk = 0
  // Node reads this timeout from a readline interface. Its default of half a second would delay every Esc.
  const timing = { escapeCodeTimeout: 50 } as unknown as Interface
  emitKeypressEvents(source as unknown as NodeJS.ReadableStream, timing)
  source.on('keypress', (text: string | undefined, key: NodeKey) => {
    if (key.name === 'paste-start') pasting = true
    else if (key.name === 'paste-end') pasting = false
    else onKey({ ...describe(text, key), pasted: pasting || burst, hasty, held: isHeld(key) })
  })
  setRawMode(input, true)
  output.write(bracketedPaste.on)
  input.on('data', onData)
  input.on('end', onEnd)
  input.resume()
  return stop

  function onData(chunk: Buffer | string) {
    const now = performance.now()
    if (now - lastChunk > pasteSilence) pasting = false
    lastChunk = now
    const text = String(chunk).replaceAll(reports, '')
    burst = isBurst(text)
    hasty = /^\P{Cc}*\p{L}{3}\r$/u.test(text)
    // A chunk may end in the middle of a character, so the original bytes are passed on.
    source.emit('data', text.length < String(chunk).length ? Buffer.from(text) : chunk)
    burst = false
    hasty = false
  }

  function isHeld({ name = '' }: NodeKey): boolean {
    const at = performance.now()
    const held = name === last.name && at - last.at < repeatTime
    last = { name, at }
    return held
  }

  function stop() {
    input.off('data', onData)
    input.off('end', onEnd)
    source.removeAllListeners()
    input.pause()
    output.write(bracketedPaste.off)
    setRawMode(input, false)
  }
}

/** A paste without markers: a line break in the middle of a chunk is not somebody pressing Enter. */
function isBurst(chunk: string): boolean {
  const lineBreak = chunk.search(/[\r\n]/)
  return lineBreak >= 0 && chunk.slice(lineBreak).trim() !== ''
}

function describe(text: string | undefined, key: NodeKey): Omit<Key, 'pasted' | 'held' | 'hasty'> {
  const { name = '', ctrl = false, meta = false, shift = false } = key
  const inserted = text !== undefined && !ctrl && !meta && !/^\p{Cc}/u.test(text) ? text : ''
  return { name, text: inserted, ctrl, alt: meta, shift }
}
