import { createLineBuffer } from '../scan/line-buffer.ts'
import type { AgentEvent } from './agent-text.ts'
import { createClaudeReader } from './claude.ts'
import { createCodexReader } from './codex.ts'

export interface Unwrapper {
  /** Returns the plain text in these bytes, for the scanner. */
  push(chunk: Uint8Array): Buffer
  end(): Buffer
  /** The agent's session id, once known; needed to resume the session. */
  session(): string | null
  /** After a complete line: what another unwrapper needs to continue with the next. */
  state(): UnwrapperState
}

export interface UnwrapperState {
  reader: unknown
  atLineStart: boolean
}

const readers = { claude: createClaudeReader, codex: createCodexReader }
const newline = 10
const lineBreak = Buffer.of(newline)
const brace = 0x7b
/** A longer line passes as text. Tool results with images are shorter. */
const lineBytes = 16 * 1_024 * 1_024

/** Extracts the agent's text from JSON event lines. Lines that are not events pass unchanged. */
export function createUnwrapper(format: keyof typeof readers, from?: UnwrapperState): Unwrapper {
  const reader = readers[format](from?.reader)
  const lineBuffer = createLineBuffer()
  const output = createLineBuffer()
  let atLineStart = from?.atLineStart ?? true
  let passing = false
  return { push, end, session: reader.session, state: () => ({ reader: reader.state(), atLineStart }) }

  function push(chunk: Uint8Array): Buffer {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let from = 0
    for (let stop = bytes.indexOf(newline); stop >= 0; stop = bytes.indexOf(newline, from)) {
      take(bytes.subarray(from, stop))
      endLine()
      from = stop + 1
    }
    take(bytes.subarray(from))
    return flush()
  }

  function end(): Buffer {
    if (lineBuffer.length > 0) endLine()
    return flush()
  }

  function take(bytes: Buffer) {
    if (passing) {
      write(bytes)
    } else if (lineBuffer.length + bytes.length <= lineBytes) {
      lineBuffer.append(bytes)
    } else {
      startNewLine()
      write(lineBuffer.view())
      write(bytes)
      lineBuffer.clear()
      passing = true
    }
  }

  function endLine() {
    if (passing) startNewLine()
    else readLine(lineBuffer.view())
    lineBuffer.clear()
    passing = false
  }

  function readLine(line: Buffer) {
    const event = parseEvent(line)
    if (!event) {
      startNewLine()
      write(line)
      write(lineBreak)
      return
    }
    for (const { text, whole } of reader.read(event)) {
      if (whole) startNewLine()
      write(Buffer.from(text))
      if (whole) startNewLine()
    }
  }

  function startNewLine() {
    if (!atLineStart) write(lineBreak)
  }

  function write(bytes: Buffer) {
    if (bytes.length === 0) return
    output.append(bytes)
    atLineStart = bytes[bytes.length - 1] === newline
  }

  function flush(): Buffer {
    const text = Buffer.from(output.view())
    output.clear()
    return text
  }
}

function parseEvent(line: Buffer): AgentEvent | null {
  if (line[0] !== brace) return null
  try {
    const event: unknown = JSON.parse(line.toString())
    return typeof event === 'object' && event !== null && 'type' in event ? event : null
  } catch {
    return null
  }
}
