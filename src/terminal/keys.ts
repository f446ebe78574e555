import { EventEmitter } from 'node:events'
import { emitKeypressEvents, type Interface, type Key as NodeKey } from 'node:readline'
import { setRawMode } from './raw-mode.ts'
import type { Terminal } from './terminal.ts'

export interface Key {
  /** `up`, `return`, `a` …; empty where the key has no name. */
  name: string
  /** What it writes, if it is a key that writes. */
  text: string
  ctrl: boolean
  alt: boolean
  shift: boolean
  /** It was not typed but came out of the clipboard: then Enter is a line break and nothing else. */
  pasted: boolean
  /** It came again sooner than a finger can: it is held down. */
  held: boolean
  /** It came together with words before it, as a paste does in a terminal that marks none. */
  hasty: boolean
}

/** An Enter that a person pressed, once, and alone. */
export function isEnter({ name, ctrl, alt, pasted, held }: Key): boolean {
  return name === 'return' && !ctrl && !alt && !pasted && !held
}

const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' }
// A keyboard repeats every 30 ms or so; who presses twice on purpose takes longer.
const repeatTime = 45
// A paste whose end got lost on the way ends by itself.
const pasteSilence = 1_000
// What terminals send by themselves: mouse reports, and answers to questions that somebody else asked.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const reports = /\x1b\[<[\d;]*[Mm]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P^_][^\x1b]*\x1b\\/g

/** Reads the keyboard key by key until it is told to stop. The terminal is left as it was found. */
export function readKeys({ input, output }: Terminal, onKey: (key: Key) => void, onEnd: () => void): () => void {
  const source = new EventEmitter()
  let pasting = false
  let burst = false
  let hasty = false
  let last = { name: '', at: 0 }
  let lastChunk = 0
  // Node takes the patience for the rest of an escape sequence from an interface; half a second would be felt at every Esc.
  const patience = { escapeCodeTimeout: 50 } as unknown as Interface
  emitKeypressEvents(source as unknown as NodeJS.ReadableStream, patience)
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
    // A character may be cut in two by the chunks; then the bytes themselves go on.
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

/** A terminal that does not mark what it pastes: a line break in the middle of a chunk is no person's Enter. */
function isBurst(chunk: string): boolean {
  const lineBreak = chunk.search(/[\r\n]/)
  return lineBreak >= 0 && chunk.slice(lineBreak).trim() !== ''
}

function describe(text: string | undefined, key: NodeKey): Omit<Key, 'pasted' | 'held' | 'hasty'> {
  const { name = '', ctrl = false, meta = false, shift = false } = key
  const writes = text !== undefined && !ctrl && !meta && !/^\p{Cc}/u.test(text) ? text : ''
  return { name, text: writes, ctrl, alt: meta, shift }
}
