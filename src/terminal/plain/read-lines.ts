import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate as nextLoop, setTimeout as sleep } from 'node:timers/promises'
import { widthOf } from '../../text/width.ts'
import type { Terminal } from '../terminal.ts'
import { addDumbKeys, withoutControls } from './dumb-keys.ts'

/** Lines that a person types or pastes, or that arrive through a pipe. Each is returned once and in order. */
export interface Lines {
  /** The next line, or null if the input ended or the person left. */
  next(prompt: string, options?: LineOptions): Promise<Line | null>
  /** Prints a line in between. The prompt, and what was typed after it so far, appear again below. */
  interject(text: string): void
  /** If something else closed the prompt while the person was typing, resolves once they have stopped. */
  close(by?: 'line'): Promise<void>
}

interface LineOptions {
  /** Does not echo it. */
  hidden?: boolean
  /** Lines that are pasted together at a terminal are one text. */
  joinsPaste?: boolean
}

/** A reader that was started in the middle of something, and can be stopped at once. */
export interface StartedLines extends Lines {
  /** Returns what was typed and not returned yet. */
  stop(): string
}

export interface Line {
  text: string
  /** A person typed it at this terminal after seeing the prompt. */
  typed: boolean
  /** A paste without a line break at its end, whose rest may still come. */
  isCutOff?: boolean
}

/** `onEarly` gets what was typed before the first prompt was visible. */
export async function openLines(
  terminal: Terminal,
  signal: AbortSignal,
  onEarly?: (text: string) => void,
): Promise<Lines> {
  const lines = startLines(terminal, signal)
  await lines.dropEarly(onEarly)
  return lines
}

/** Takes what was typed before as well. The first prompt is followed by what the person has begun to write. */
export function startLines(
  terminal: Terminal,
  signal: AbortSignal,
  begun = '',
): StartedLines & { dropEarly(onEarly?: (text: string) => void): Promise<void> } {
  const { input, output } = terminal
  const waiting: Line[] = []
  let pasted: string[] = []
  let asked: ((line: Line | null) => void) | null = null
  let ended = signal.aborted
  let hidden = false
  let prompted = ''
  /** The row of the prompt is finished. */
  let hasLeftRow = false
  let isStopped = false
  const source = input.isTTY ? fromKeyboard(terminal, () => hidden, onLine, end) : fromPipe(terminal, onLine, end)
  signal.addEventListener('abort', end, { once: true })
  return { dropEarly, next, interject, stop, close }

  /** Lines typed before the first prompt was visible were meant for something else. */
  async function dropEarly(onEarly?: (text: string) => void) {
    if (!source.keyboard) return
    hidden = true
    await source.keyboard.silence()
    hidden = false
    for (const { text } of waiting.splice(0)) onEarly?.(text)
    const unfinished = source.keyboard.takeUnfinished()
    if (unfinished) onEarly?.(unfinished)
  }

  async function next(prompt: string, options: LineOptions = {}): Promise<Line | null> {
    output.write(prompt)
    prompted = prompt
    source.keyboard?.insert(begun)
    begun = ''
    const ahead = waiting.shift()
    // The line was pasted ahead: echo it after its prompt.
    if (ahead && input.isTTY && !options.hidden && prompt !== '') output.write(`${ahead.text}\n`)
    const line = ahead ? { ...ahead, typed: false } : await nextLine(options.hidden ?? false)
    if (!line || !options.joinsPaste || !source.keyboard) return line
    return joinPaste(line, source.keyboard, options.hidden ?? false)
  }

  async function nextLine(isHidden: boolean): Promise<Line | null> {
    if (ended) return null
    hidden = isHidden
    const { promise, resolve } = Promise.withResolvers<Line | null>()
    asked = resolve
    const line = await promise
    hasLeftRow = line === null
    if (!isStopped && (hidden || line === null)) output.write('\n')
    hidden = false
    return line
  }

  /** Waits for the rest of a paste, which comes until there is silence. Its last line may lack a line break. */
  async function joinPaste(first: Line, keyboard: Keyboard, isHidden: boolean): Promise<Line> {
    pasted = [first.text]
    hidden = isHidden
    if (first.typed) await keyboard.silence(burstTime)
    const isPaste = !first.typed || waiting.length > 0 || keyboard.typed().length > 1
    if (isPaste) await keyboard.silence()
    if (isPaste && keyboard.typed() !== '') await keyboard.silence(longGrace)
    hidden = false
    pasted = []
    if (!isPaste) return first
    const unfinished = keyboard.takeUnfinished()
    if (unfinished && !isHidden) output.write('\n')
    const parts = [first.text, ...waiting.splice(0).map(line => line.text), ...(unfinished ? [unfinished] : [])]
    return { text: parts.join('\n'), typed: false, isCutOff: unfinished !== '' }
  }

  function interject(text: string) {
    const typed = hidden ? '' : (source.keyboard?.typed() ?? '')
    if (!asked || (prompted === '' && typed === '')) output.write(`${text}\n`)
    else output.write(`\n${text}\n${prompted}${typed}`)
  }

  function onLine(line: Line) {
    const resolve = asked
    asked = null
    if (resolve) resolve(line)
    else waiting.push(line)
  }

  function end() {
    ended = true
    const resolve = asked
    asked = null
    resolve?.(null)
  }

  async function close(by?: 'line') {
    // The request was settled elsewhere while the person types: the rest, perhaps a secret, must not reach the shell.
    if (signal.aborted && by !== 'line') {
      hidden = true
      await source.keyboard?.pause()
    }
    stop()
  }

  function stop(): string {
    isStopped = true
    signal.removeEventListener('abort', end)
    const unfinished = source.keyboard?.takeUnfinished() ?? ''
    if (unfinished && !hidden && !hasLeftRow) output.write('\n')
    hidden = true
    source.close()
    input.pause()
    end()
    return [...pasted, ...waiting.splice(0).map(({ text }) => text), unfinished].join('\n')
  }
}

interface Source {
  readonly keyboard?: Keyboard
  close(): void
}

interface Keyboard {
  /** Resolves once no more input arrives. */
  silence(time?: number): Promise<void>
  /** Removes the line that is not complete, and returns it. */
  takeUnfinished(): string
  /** Adds to the line, as if it had been typed. */
  insert(text: string): void
  /** What is typed so far, with the cursor where it is. */
  typed(): string
  /** Resolves once the person has stopped typing. */
  pause(): Promise<void>
}

const grace = 200
// A line without its end is more likely the middle of a paste.
const longGrace = 800
// The reads of one paste come right after each other; nobody types the next line that fast.
const burstTime = 30
const typingPause = 700
const longestTyping = 10_000

/** Reads with line editing. Hidden input is not echoed. */
function fromKeyboard(
  terminal: Terminal,
  isHidden: () => boolean,
  onLine: (line: Line) => void,
  onEnd: () => void,
): Source {
  const { input, output } = terminal
  // As readline decides it.
  const isDumb = process.env.TERM === 'dumb'
  let pasted = false
  let lastChunk = -Infinity
  // Before readline's own listener, which stays on the input from one reader to the next: several lines in one chunk are
  // a paste.
  input.prependListener('data', onData)
  let echoed = ''
  const echo = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      show(isDumb ? echoOf(chunk) : chunk)
      done()
    },
  })
  const reader = createInterface({ input, output: echo, terminal: true, historySize: 0, prompt: '' })
  const removeKeys = isDumb ? addDumbKeys(reader, input, show) : () => {}
  reader.on('line', text => onLine({ text, typed: !pasted }))
  reader.on('SIGINT', onEnd)
  reader.on('close', onEnd)
  // After Ctrl-Z, readline has paused itself.
  reader.on('SIGCONT', () => reader.prompt(true))
  return { keyboard: { silence, takeUnfinished, insert, typed, pause }, close }

  function onData(chunk: Buffer | string) {
    lastChunk = performance.now()
    const text = String(chunk)
    const lineBreak = text.search(/[\r\n]/)
    pasted = lineBreak >= 0 && (text.slice(lineBreak).trim() !== '' || text.includes('\x1b[20'))
  }

  /** Readline echoes a paste in many small pieces. */
  function show(text: string) {
    if (text === '' || isHidden()) return
    if (echoed === '') process.nextTick(flush)
    echoed += text
  }

  function flush() {
    output.write(echoed)
    echoed = ''
  }

  async function silence(time = grace) {
    do {
      await sleep(time)
      // On a busy machine, input may have arrived that is not read yet.
      await nextLoop()
    } while (performance.now() - lastChunk < time)
  }

  function takeUnfinished() {
    const { line } = reader
    // Not by keys: on a dumb terminal, readline has none that delete.
    Object.assign(reader, { line: '', cursor: 0 })
    return line
  }

  function insert(text: string) {
    if (text !== '') reader.write(text)
  }

  function typed() {
    return reader.line + '\b'.repeat(widthOf(reader.line.slice(reader.cursor)))
  }

  async function pause() {
    const giveUpAt = performance.now() + longestTyping
    while (performance.now() - lastChunk < typingPause && performance.now() < giveUpAt) await sleep(typingPause / 4)
  }

  function close() {
    reader.off('close', onEnd)
    input.off('data', onData)
    removeKeys()
    reader.close()
  }
}

/** A key that is no text is not echoed. */
function echoOf(typed: string): string {
  return typed
    .split(/(\r?\n)/)
    .map((part, i) => (i % 2 === 0 ? withoutControls(part) : part))
    .join('')
}

/**
 * Lines end at line feeds only; readline would also break them at other characters. A last line without a line feed may
 * be incomplete, so it is not an answer.
 */
function fromPipe({ input }: Terminal, onLine: (line: Line) => void, onEnd: () => void): Source {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  input.on('data', onData)
  input.on('end', onEnd)
  input.on('error', onEnd)
  input.resume()
  return { close }

  function onData(chunk: Buffer | string) {
    const parts = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) onLine({ text: part.replace(/\r$/, ''), typed: false })
  }

  function close() {
    input.off('data', onData)
    input.off('end', onEnd)
    input.off('error', onEnd)
  }
}
