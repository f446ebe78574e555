import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'

// Several times the largest ask. A longer line is not kept.
const longestLine = 32 * 1024 * 1024

interface Streams {
  readonly input: NodeJS.ReadableStream
  /** Resolves when every byte is written. */
  write(text: string): Promise<void>
  /** The client sends nothing any more. */
  onEnd(): void
}

/**
 * One JSON-RPC message per line. Unlike the SDK's own transport, it ends with its input, says what became of a line that is
 * not a message, survives a line without end, and knows when a result was really written.
 */
export function createStdioTransport({ input, write, onEnd }: Streams): Transport {
  let parts: Buffer[] = []
  let length = 0
  const transport: Transport = { start, send, close }
  return transport

  async function start() {
    input.on('data', onData)
    for (const event of ends) input.on(event, onEnd)
  }

  async function send(message: JSONRPCMessage) {
    await write(`${JSON.stringify(message)}\n`)
  }

  async function close() {
    for (const event of ends) input.off(event, onEnd)
    input.off('data', onData)
    input.pause()
    transport.onclose?.()
  }

  function onData(chunk: Buffer | string) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let from = 0
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, from)) {
      keep(bytes.subarray(from, at))
      endLine()
      from = at + 1
    }
    keep(bytes.subarray(from))
  }

  function keep(part: Buffer) {
    length += part.length
    if (length > longestLine) parts = []
    else if (part.length > 0) parts.push(part)
  }

  function endLine() {
    const isTooLong = length > longestLine
    const line = isTooLong ? '' : Buffer.concat(parts).toString('utf8')
    parts = []
    length = 0
    if (isTooLong) return refuse(-32_600, `The message is longer than ${longestLine} bytes.`)
    if (line.trim() !== '') receive(line)
  }

  function receive(line: string) {
    const value = parseJson(line)
    if (value === undefined) return refuse(-32_700, 'This line is not JSON.')
    const parsed = JSONRPCMessageSchema.safeParse(value)
    if (parsed.success) transport.onmessage?.(parsed.data)
    else refuse(-32_600, 'This line is not a JSON-RPC message.', idOf(value))
  }

  function refuse(code: number, message: string, id: string | number | null = null) {
    write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`).catch(() => {})
  }
}

const ends = ['end', 'close', 'error']
const newline = 0x0a

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** So that a caller whose message is wrong does not wait for its reply. */
function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
