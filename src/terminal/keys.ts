import { EventEmitter } from 'node:events'
import { emitKeypressEvents, type Interface, type Key as NodeKey } from 'node:readline'
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
}

const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' }
// No person types so much before the program looks once.
const tooMuchToType = 16

/** Reads the keyboard key by key until it is told to stop. The terminal is left as it was found. */
export function readKeys({ input, output }: Terminal, onKey: (key: Key) => void, onEnd: () => void): () => void {
  const source = new EventEmitter()
  let pasting = false
  let burst = false
  // Node takes the patience for the rest of an escape sequence from an interface; half a second would be felt at every Esc.
  const patience = { escapeCodeTimeout: 50 } as unknown as Interface
  emitKeypressEvents(source as unknown as NodeJS.ReadableStream, patience)
  source.on('keypress', (text: string | undefined, key: NodeKey) => {
    if (key.name === 'paste-start') pasting = true
    else if (key.name === 'paste-end') pasting = false
    else onKey(describe(text, key, pasting || burst))
  })
  input.setRawMode?.(true)
  output.write(bracketedPaste.on)
  input.on('data', onData)
  input.on('end', onEnd)
  input.resume()
  return stop

  function onData(chunk: Buffer | string) {
    burst = isBurst(String(chunk))
    source.emit('data', chunk)
    burst = false
  }

  function stop() {
    input.off('data', onData)
    input.off('end', onEnd)
    source.removeAllListeners()
    input.pause()
    output.write(bracketedPaste.off)
    input.setRawMode?.(false)
  }
}

/** A terminal that does not mark what it pastes: a line break in the middle of a chunk is no person's Enter. */
function isBurst(chunk: string): boolean {
  const lineBreak = chunk.search(/[\r\n]/)
  if (lineBreak < 0) return false
  return lineBreak >= tooMuchToType || chunk.slice(lineBreak).trim() !== ''
}

function describe(text: string | undefined, key: NodeKey, pasted: boolean): Key {
  const { name = '', ctrl = false, meta = false, shift = false } = key
  const writes = text !== undefined && !ctrl && !meta && !/^\p{Cc}/u.test(text) ? text : ''
  return { name, text: writes, ctrl, alt: meta, shift, pasted }
}
