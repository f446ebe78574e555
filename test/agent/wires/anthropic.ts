import { callsOf, type Item, pieces, usageOf, type Wire } from './wire.ts'

interface Body {
  system?: { text: string }[] | string
  tools?: { name: string }[]
  tool_choice?: unknown
  messages: { role: 'user' | 'assistant' | 'system'; content: Block[] | string }[]
}

interface Block {
  type: string
  text?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: string | { text?: string }[]
  is_error?: boolean
  source?: { media_type: string; data: string }
}

export const anthropicWire: Wire = {
  path: '/v1/messages',

  read(body: Body) {
    return {
      wire: 'anthropic',
      system: typeof body.system === 'string' ? body.system : (body.system ?? []).map(({ text }) => text).join('\n'),
      tools: (body.tools ?? []).map(({ name }) => name),
      toolChoice: body.tool_choice ?? null,
      items: body.messages.flatMap(({ role, content }) => {
        // Claude Code reminds the model in between.
        if (role === 'system') return []
        return typeof content === 'string'
          ? [{ type: role, text: content }]
          : content.filter(({ source }) => !source).map(block => itemOf(role, block))
      }),
      images: body.messages.flatMap(({ content }) =>
        typeof content === 'string'
          ? []
          : content.flatMap(({ source }) => (source ? [`data:${source.media_type};base64,${source.data}`] : [])),
      ),
      size: JSON.stringify(body).length,
    }
  },

  *write(reply, count) {
    // The format requires both numbers: servers that do not count send zeros.
    const { input = 0, output = 0 } = usageOf(reply) ?? {}
    yield event({
      type: 'message_start',
      message: {
        ...{ id: `msg_${count}`, type: 'message', role: 'assistant', model: 'scripted', content: [] },
        ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: input, output_tokens: 1 } },
      },
    })
    let index = 0
    if (reply.text) {
      yield event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
      for (const text of pieces(reply.text)) {
        yield event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
      }
      yield event({ type: 'content_block_stop', index })
      index += 1
    }
    const calls = callsOf(reply, count)
    for (const { id, name, input } of calls) {
      yield event({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } })
      for (const partial_json of pieces(JSON.stringify(input))) {
        yield event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } })
      }
      yield event({ type: 'content_block_stop', index })
      index += 1
    }
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
    yield event({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: output },
    })
    yield event({ type: 'message_stop' })
  },
}

function itemOf(role: 'user' | 'assistant', block: Block): Item {
  if (block.type === 'tool_use') return { type: 'call', id: block.id ?? '', name: block.name ?? '', input: block.input }
  if (block.type !== 'tool_result') return { type: role, text: block.text ?? '' }
  const { content = '', tool_use_id = '', is_error = false } = block
  const output = typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('')
  return { type: 'result', id: tool_use_id, output, failed: is_error }
}

function event(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}
