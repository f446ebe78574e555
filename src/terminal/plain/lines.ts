import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from '../terminal.ts'

/** Lines as a person types them, or pastes them, or sends them through a pipe: each is taken once and in order. */
export interface Lines {
  /** The next line; null when there will be none: the input ended, or the person left. */
  next(prompt: string, options?: { hidden?: boolean }): Promise<string | null>
  close(): void
}

export async function openLines(terminal: Terminal, signal: AbortSignal): Promise<Lines> {
  const { input, output } = terminal
  const waiting: string[] = []
  let asked: ((line: string | null) => void) | null = null
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

  async function next(prompt: string, options: { hidden?: boolean } = {}): Promise<string | null> {
    output.write(prompt)
    const line = waiting.shift()
    if (line !== undefined) {
      // Pasted ahead: shown here, where it belongs.
      if (input.isTTY && !options.hidden) output.write(`${line}\n`)
      return line
    }
    if (ended) return null
    hidden = options.hidden ?? false
    const { promise, resolve } = Promise.withResolvers<string | null>()
    asked = resolve
    const typed = await promise
    if (hidden || typed === null) output.write('\n')
    hidden = false
    return typed
  }

  function onLine(line: string) {
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

  function close() {
    signal.removeEventListener('abort', end)
    source.close()
    input.pause()
  }
}

interface Source {
  /** Resolves when what was typed ahead has arrived. */
  settle?: () => Promise<void>
  close(): void
}

const grace = 100

/** With the editing that people are used to; what is hidden is not echoed. */
function fromKeyboard(
  { input, output }: Terminal,
  isHidden: () => boolean,
  onLine: (line: string) => void,
  onEnd: () => void,
): Source {
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (isHidden()) return done()
      output.write(chunk, () => done())
    },
  })
  const reader = createInterface({ input, output: echo, terminal: true, historySize: 0, prompt: '' })
  reader.on('line', onLine)
  reader.on('SIGINT', onEnd)
  reader.on('close', onEnd)
  // Back from Ctrl-Z: readline has paused itself.
  reader.on('SIGCONT', () => reader.prompt(true))
  return { settle, close }

  async function settle() {
    await sleep(grace)
    reader.write(null, { ctrl: true, name: 'u' })
  }

  function close() {
    reader.off('close', onEnd)
    reader.close()
  }
}

/**
 * A line ends at its line feed and nowhere else: readline would break it at rarer characters, too. A last one that nobody
 * ended may be half of one, and is no answer.
 */
function fromPipe({ input }: Terminal, onLine: (line: string) => void, onEnd: () => void): Source {
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
    for (const part of parts) onLine(part.replace(/\r$/, ''))
  }

  function close() {
    input.off('data', onData)
    input.off('end', onEnd)
    input.off('error', onEnd)
  }
}
