import { createHeld } from '../scan/line-buffer.ts'
import type { AgentEvent } from './agent-text.ts'
import { createClaudeReader } from './claude.ts'
import { createCodexReader } from './codex.ts'

export interface Unwrapper {
  /** The plain text that came with these bytes, for the scanner. */
  push(chunk: Uint8Array): Buffer
  end(): Buffer
  /** What the agent calls this conversation, once it has said so; for resuming it. */
  session(): string | null
  /** After a whole line: what another unwrapper needs to go on with the next. */
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
/** A longer line passes as text. Tool results with pictures in them stay below. */
const lineBytes = 16 * 1_024 * 1_024

/** Unwraps JSON event lines into what the agent says in them. Lines that are no events pass as they are. */
export function createUnwrapper(format: keyof typeof readers, from?: UnwrapperState): Unwrapper {
  const reader = readers[format](from?.reader)
  const held = createHeld()
  const output = createHeld()
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
    if (held.length > 0) endLine()
    return flush()
  }

  function take(bytes: Buffer) {
    if (passing) {
      write(bytes)
    } else if (held.length + bytes.length <= lineBytes) {
      held.append(bytes)
    } else {
      freshLine()
      write(held.view())
      write(bytes)
      held.clear()
      passing = true
    }
  }

  function endLine() {
    if (passing) freshLine()
    else readLine(held.view())
    held.clear()
    passing = false
  }

  function readLine(line: Buffer) {
    const event = eventOf(line)
    if (!event) {
      freshLine()
      write(line)
      write(lineBreak)
      return
    }
    for (const { text, whole } of reader.read(event)) {
      if (whole) freshLine()
      write(Buffer.from(text))
      if (whole) freshLine()
    }
  }

  function freshLine() {
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

function eventOf(line: Buffer): AgentEvent | null {
  if (line[0] !== brace) return null
  try {
    const event: unknown = JSON.parse(line.toString())
    return typeof event === 'object' && event !== null && 'type' in event ? event : null
  } catch {
    return null
  }
}
