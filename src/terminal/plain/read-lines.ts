import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { widthOf } from '../../text/width.ts'
import type { Terminal } from '../terminal.ts'

/** Lines that a person types or pastes, or that arrive through a pipe. Each is returned once and in order. */
export interface Lines {
  /** The next line, or null if the input ended or the person left. */
  next(prompt: string, options?: { hidden?: boolean }): Promise<Line | null>
  /** Prints a line in between. The prompt, and what was typed after it so far, appear again below. */
  interject(text: string): void
  /** If the prompt closed while the person was typing, resolves once they have stopped. */
  close(): Promise<void>
}

export interface Line {
  text: string
  /** A person typed it at this terminal after seeing the prompt. */
  typed: boolean
}

/** `onEarly` gets what was typed before the first prompt was visible. */
export async function openLines(
  terminal: Terminal,
  signal: AbortSignal,
  onEarly?: (text: string) => void,
): Promise<Lines> {
  const { input, output } = terminal
  const waiting: Line[] = []
  let asked: ((line: Line | null) => void) | null = null
  let ended = signal.aborted
  let hidden = false
  let prompted = ''
  const source = input.isTTY ? fromKeyboard(terminal, () => hidden, onLine, end) : fromPipe(terminal, onLine, end)
  signal.addEventListener('abort', end, { once: true })
  hidden = true
  const unfinished = await source.settle?.()
  hidden = false
  // Lines typed before the first prompt was visible were meant for something else.
  if (input.isTTY) {
    for (const { text } of waiting.splice(0)) onEarly?.(text)
    if (unfinished) onEarly?.(unfinished)
  }
  return { next, interject, close }

  async function next(prompt: string, options: { hidden?: boolean } = {}): Promise<Line | null> {
    output.write(prompt)
    prompted = prompt
    const line = waiting.shift()
    if (line !== undefined) {
      // The line was pasted ahead: echo it after its prompt.
      if (input.isTTY && !options.hidden) output.write(`${line.text}\n`)
      return { ...line, typed: false }
    }
    if (ended) return null
    hidden = options.hidden ?? false
    const { promise, resolve } = Promise.withResolvers<Line | null>()
    asked = resolve
    const typed = await promise
    if (hidden || typed === null) output.write('\n')
    hidden = false
    return typed
  }

  function interject(text: string) {
    if (asked) output.write(`\n${text}\n${prompted}${hidden ? '' : (source.typed?.() ?? '')}`)
    else output.write(`${text}\n`)
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

  async function close() {
    signal.removeEventListener('abort', end)
    hidden = true
    // The request was settled elsewhere while the person types: the rest, perhaps a secret, must not reach the shell.
    if (signal.aborted) await source.pause?.()
    source.close()
    input.pause()
  }
}

interface Source {
  /** Resolves once input typed ahead has arrived, to the line that is not complete. */
  settle?: () => Promise<string>
  /** What is typed so far, with the cursor where it is. */
  typed?: () => string
  /** Resolves once the person has stopped typing. */
  pause?: () => Promise<void>
  close(): void
}

const grace = 200
const typingPause = 700
const longestTyping = 10_000

/** Reads with line editing. Hidden input is not echoed. */
function fromKeyboard(
  { input, output }: Terminal,
  isHidden: () => boolean,
  onLine: (line: Line) => void,
  onEnd: () => void,
): Source {
  let pasted = false
  let lastChunk = -Infinity
  // Runs before readline's own listener: several lines in one chunk are a paste.
  input.on('data', onData)
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (isHidden()) return done()
      output.write(chunk, () => done())
    },
  })
  const reader = createInterface({ input, output: echo, terminal: true, historySize: 0, prompt: '' })
  reader.on('line', text => onLine({ text, typed: !pasted }))
  reader.on('SIGINT', onEnd)
  reader.on('close', onEnd)
  // After Ctrl-Z, readline has paused itself.
  reader.on('SIGCONT', () => reader.prompt(true))
  return { settle, typed, pause, close }

  function onData(chunk: Buffer | string) {
    lastChunk = performance.now()
    const text = String(chunk)
    const lineBreak = text.search(/[\r\n]/)
    pasted = lineBreak >= 0 && (text.slice(lineBreak).trim() !== '' || text.includes('\x1b[20'))
  }

  /** Waits until no more input arrives. */
  async function settle() {
    do await sleep(grace)
    while (performance.now() - lastChunk < grace)
    const { line } = reader
    reader.write(null, { ctrl: true, name: 'e' })
    reader.write(null, { ctrl: true, name: 'u' })
    return line
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
    reader.close()
  }
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
