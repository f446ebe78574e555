/** One message of a stream of events, a comment between them, or the cursor alone where the reader missed nothing. */
export type StreamItem = { id: string; data: string } | { comment: string } | { cursor: string }

type Bytes = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** Reads a stream of events: bytes in, as they arrive; whole messages out. */
export async function* readEventStream(body: Bytes | null): AsyncGenerator<StreamItem> {
  const decoder = new TextDecoder()
  let rest = ''
  let id = ''
  let hasId = false
  let data: string[] = []
  for await (const bytes of chunksOf(body)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { id, data: data.join('\n') }
        else if (hasId) yield { cursor: id }
        data = []
        hasId = false
        continue
      }
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (field === '') yield { comment: value }
      else if (field === 'id') {
        id = value
        hasId = true
      } else if (field === 'data') data.push(value)
    }
  }
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(body: Bytes | null): AsyncGenerator<Uint8Array> {
  if (body && !('getReader' in body)) return yield* body
  const reader = body?.getReader()
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) yield next.value
  } finally {
    reader?.cancel().catch(() => {})
  }
}
