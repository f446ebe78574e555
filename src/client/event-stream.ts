/** One message of a stream of events, a comment between them, or the cursor alone where the reader missed nothing. */
export type StreamItem = { id: string; data: string } | { comment: string } | { cursor: string }

/** Reads a stream of events: bytes in, as they arrive; whole messages out. */
export async function* readEventStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamItem> {
  const decoder = new TextDecoder()
  let rest = ''
  let id = ''
  let hasId = false
  let data: string[] = []
  for await (const bytes of body) {
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
