import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from '../terminal.ts'

/** Lines as a person types them, or pastes them, or sends them through a pipe: each is taken once and in order. */
export interface Lines {
  /** The next line; null when there will be none: the input ended, or the person left. */
  next(prompt: string, options?: { hidden?: boolean }): Promise<Line | null>
  /** Resolves once the person has stopped typing into what was closed under their hands. */
  close(): Promise<void>
}

export interface Line {
  text: string
  /** A person typed it, at this terminal, after they were asked. */
  typed: boolean
}

export async function openLines(terminal: Terminal, signal: AbortSignal): Promise<Lines> {
  const { input, output } = terminal
  const waiting: Line[] = []
  let asked: ((line: Line | null) => void) | null = null
  let ended = signal.aborted
  let hidden = false
  const source = input.isTTY ? fromKeyboard(terminal, () => hidden, onLine, end) : fromPipe(terminal, onLine, end)
  signal.addEventListener('abort', end, { once: true })
  hidden = true
  await source.settle?.()
  hidden = false
  // What was typed before the first question could be read was meant for something else.
  if (input.isTTY) waiting.length = 0
  return { next, close }

  async function next(prompt: string, options: { hidden?: boolean } = {}): Promise<Line | null> {
    output.write(prompt)
    const line = waiting.shift()
    if (line !== undefined) {
      // Pasted ahead: shown here, where it belongs.
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

  function onLine(line: Line) {
    const tell = asked
    asked = null
    if (tell) tell(line)
    else waiting.push(line)
  }

  function end() {
    ended = true
    const tell = asked
    asked = null
    tell?.(null)
  }

  async function close() {
    signal.removeEventListener('abort', end)
    hidden = true
    // Closed by somebody else in the middle of a word: the rest of it, a secret perhaps, is not for the shell.
    if (signal.aborted) await source.pause?.()
    source.close()
    input.pause()
  }
}

interface Source {
  /** Resolves when what was typed ahead has arrived. */
  settle?: () => Promise<void>
  /** Resolves when the person has stopped typing. */
  pause?: () => Promise<void>
  close(): void
}

const grace = 200
const typingPause = 700
const typingCap = 10_000

/** With the editing that people are used to; what is hidden is not echoed. */
function fromKeyboard(
  { input, output }: Terminal,
  isHidden: () => boolean,
  onLine: (line: Line) => void,
  onEnd: () => void,
): Source {
  let pasted = false
  let lastChunk = -Infinity
  // Before readline hears of it: several lines in one piece are a paste.
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
  // Back from Ctrl-Z: readline has paused itself.
  reader.on('SIGCONT', () => reader.prompt(true))
  return { settle, pause, close }

  function onData(chunk: Buffer | string) {
    lastChunk = performance.now()
    const text = String(chunk)
    const lineBreak = text.search(/[\r\n]/)
    pasted = lineBreak >= 0 && (text.slice(lineBreak).trim() !== '' || text.includes('\x1b[20'))
  }

  /** As long as they go on typing. */
  async function settle() {
    do await sleep(grace)
    while (performance.now() - lastChunk < grace)
    reader.write(null, { ctrl: true, name: 'u' })
  }

  async function pause() {
    const giveUpAt = performance.now() + typingCap
    while (performance.now() - lastChunk < typingPause && performance.now() < giveUpAt) await sleep(typingPause / 4)
  }

  function close() {
    reader.off('close', onEnd)
    input.off('data', onData)
    reader.close()
  }
}

/**
 * A line ends at its line feed and nowhere else: readline would break it at rarer characters, too. A last one that nobody
 * ended may be half of one, and is no answer.
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
