import { EventEmitter } from 'node:events'
import { emitKeypressEvents, type Interface, type Key as NodeKey } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { drain } from './drain.ts'
import { setRawMode } from './raw-mode.ts'
import { restoreAtExit } from './restore-at-exit.ts'
import { InputSplitter, type Piece, pasteEnd } from './split-input.ts'
import type { Terminal } from './terminal.ts'

export interface Key {
  /** `up`, `return`, `a` …; `paste` for a whole paste; empty if the key has no name. */
  name: string
  /** The text that the key inserts, if any. Of a paste, all of it, with `\n` for line breaks. */
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
  if (key.name === 'paste') return { ...key, text: key.text.replaceAll('\n', '') }
  return key.name === 'enter' || key.name === 'return' ? { ...key, name: '', text: '' } : key
}

export const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' }
// Keyboards repeat a held key about every 30 ms; pressing a key twice takes longer.
const repeatTime = 45
// An Esc may be the beginning of a longer sequence, whose rest comes at once.
const escapeTime = 50
// The reads of one paste without marks come right after each other.
const burstTime = 30
// After this silence, what has arrived of a paste is shown. Its rest may still come, or its end mark got lost.
const pasteSilence = 1_000
// Nobody types that much between two reads.
const longestTyped = 32
const interrupt = '\x03'
// Terminals send these unasked: mouse reports, and replies to queries of other programs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const reports = /\x1b\[<[\d;]*[Mm]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P^_][^\x1b]*\x1b\\/g
// Shift-Enter, in terminals that tell it from Enter.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const shiftEnter = /\x1b\[13;2u|\x1b\[27;2;13~/g
// A paste may go on while one reader stops and the next one starts.
const splitters = new WeakMap<Terminal['input'], InputSplitter>()

/**
 * Reads the keyboard key by key; a paste is one key, whatever is in it. Returns a function that stops reading and
 * restores the terminal.
 */
export function readKeys({ input, output, env }: Terminal, onKey: (key: Key) => void, onEnd: () => void): () => void {
  const source = new EventEmitter()
  const splitter = splitterOf(input)
  const marks = marksPastes(env)
  let hasty = false
  let last = { name: '', at: 0 }
  /** A paste without marks, as far as it has arrived. */
  let burst = ''
  /** The end of a paste is late: its mark may have got lost, and the next key be typed. */
  let isLate = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  // Node reads this timeout from a readline interface. We have waited for the rest of a sequence before.
  const timing = { escapeCodeTimeout: 0 } as unknown as Interface
  emitKeypressEvents(source as unknown as NodeJS.ReadableStream, timing)
  source.on('keypress', (text: string | undefined, key: NodeKey) => {
    onKey({ ...describe(text, key), pasted: false, hasty, held: isHeld(key) })
  })
  setRawMode(input, true)
  output.write(bracketedPaste.on)
  input.on('data', onData)
  input.on('end', onEnd)
  input.resume()
  const forget = restoreAtExit(() => restore(true))
  return stop

  function onData(chunk: Buffer | string) {
    const text = String(chunk)
    if (splitter.isPasting && text === interrupt) {
      splitter.dropPaste()
      press(interrupt)
      return wait()
    }
    if (splitter.isPasting && isLate && isOneKey(text)) {
      splitter.endPaste()
      // An Enter may still be the last line break of the paste.
      if (text === '\r') return paste(text)
    }
    isLate = false
    take(splitter.push(chunk))
    wait()
  }

  function wait() {
    clearTimeout(timer)
    if (stopped) return
    if (splitter.isPasting) timer = setTimeout(showPart, pasteSilence)
    else if (burst !== '') timer = setTimeout(endBurst, burstTime)
    else if (splitter.isHolding) timer = setTimeout(() => take(splitter.release()), escapeTime)
  }

  function showPart() {
    isLate = true
    take(splitter.takePart())
  }

  function take(pieces: Piece[]) {
    for (const piece of pieces) {
      if ('keys' in piece) takeKeys(piece.keys.replaceAll(reports, '').replaceAll(shiftEnter, '\x1b\r'))
      else {
        endBurst()
        paste(piece.paste)
      }
    }
  }

  function takeKeys(keys: string) {
    if (burst === '' && !isBurst(keys, marks)) return press(keys)
    const isInterrupted = keys.endsWith(interrupt)
    burst += isInterrupted ? keys.slice(0, -1) : keys
    if (!isInterrupted) return
    endBurst()
    press(interrupt)
  }

  function endBurst() {
    const text = burst
    burst = ''
    if (text !== '') paste(text)
    wait()
  }

  function paste(text: string) {
    if (!stopped) onKey({ ...noKey, name: 'paste', text: asText(text), pasted: true })
  }

  function press(keys: string) {
    hasty = /^\P{Cc}*\p{L}{3}\r$/u.test(keys)
    source.emit('data', Buffer.from(keys))
    hasty = false
  }

  function isHeld({ name = '' }: NodeKey): boolean {
    const at = performance.now()
    const held = name === last.name && at - last.at < repeatTime
    last = { name, at }
    return held
  }

  function stop() {
    stopped = true
    clearTimeout(timer)
    forget()
    input.off('data', onData)
    input.off('end', onEnd)
    source.removeAllListeners()
    input.pause()
    restore(splitter.isPasting || burst !== '')
  }

  /** The rest of a paste belongs to the next reader of keys in this process, and never to the shell. */
  function restore(drains: boolean) {
    output.write(bracketedPaste.off)
    if (drains) {
      // A slow line may hold up the end of a marked paste; without marks, silence is all that tells the end.
      const rest = drain(input, { expectsMore: endsLate, silence: splitter.isPasting ? 3_000 : 500 })
      if (rest.length > 0) input.unshift(rest)
    }
    setRawMode(input, false)
  }

  /** A marked paste ends with its mark, and any other with silence. */
  function endsLate(rest: Buffer): boolean {
    return splitter.isPasting ? !rest.includes(pasteEnd) : burst !== '' || rest.length > 0
  }
}

const noKey: Key = {
  name: '',
  text: '',
  ctrl: false,
  alt: false,
  shift: false,
  pasted: false,
  held: false,
  hasty: false,
}

function splitterOf(input: Terminal['input']): InputSplitter {
  const known = splitters.get(input) ?? new InputSplitter()
  splitters.set(input, known)
  return known
}

/** Nearly all terminals mark pastes. The Linux console, GNU screen and a few old ones do not. */
function marksPastes({ TERM = '', TMUX }: NodeJS.ProcessEnv): boolean {
  return !/^(linux|screen|ansi|cygwin|eterm|vt\d)/.test(TERM) || Boolean(TMUX)
}

/** A paste without marks: a line break in the middle of a chunk is not somebody pressing Enter. */
function isBurst(chunk: string, marks: boolean): boolean {
  const lineBreak = chunk.search(/[\r\n]/)
  if (lineBreak < 0) return chunk.length > longestTyped && /^\P{Cc}*$/u.test(chunk)
  return chunk.slice(lineBreak).trim() !== '' || (!marks && /^\P{Cc}{2,}\s+$/u.test(chunk))
}

function isOneKey(chunk: string): boolean {
  return [...chunk].length === 1 && chunk !== '\x1b'
}

/** Without escape sequences and control characters, which nobody means to paste; most terminals remove them, too. */
function asText(pasted: string): string {
  const lines = pasted.replaceAll(/\r\n?/g, '\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be removed
  return stripVTControlCharacters(lines).replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}

function describe(text: string | undefined, key: NodeKey): Pick<Key, 'name' | 'text' | 'ctrl' | 'alt' | 'shift'> {
  const { name = '', ctrl = false, meta = false, shift = false, sequence } = key
  if (sequence === '\x1f') return { name: '_', text: '', ctrl: true, alt: false, shift }
  const inserted = text !== undefined && !ctrl && !meta && !/^\p{Cc}/u.test(text) ? text : ''
  return { name, text: inserted, ctrl, alt: meta, shift }
}
