import { callsOf, type Item, pieces, usageOf, type Wire } from './wire.ts'

interface Body {
  tools?: { function: { name: string } }[]
  tool_choice?: unknown
  messages: Message[]
}

interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | { text?: string; image_url?: { url: string } }[] | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

export const chatWire: Wire = {
  path: '/chat/completions',

  read(body: Body) {
    return {
      wire: 'chat',
      system: body.messages
        .filter(({ role }) => role === 'system')
        .map(({ content }) => joinText(content))
        .join('\n'),
      tools: (body.tools ?? []).map(({ function: { name } }) => name),
      toolChoice: body.tool_choice ?? null,
      items: body.messages.flatMap(itemsOf),
      images: body.messages.flatMap(({ content }) =>
        Array.isArray(content) ? content.flatMap(({ image_url }) => image_url?.url ?? []) : [],
      ),
      size: JSON.stringify(body).length,
    }
  },

  *write(reply, count) {
    const counted = usageOf(reply)
    const chunk = (delta: unknown, finish_reason: string | null = null) =>
      event({
        id: `chat_${count}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices: [{ index: 0, delta, finish_reason }],
      })
    yield chunk({ role: 'assistant', content: '' })
    for (const content of pieces(reply.text ?? '')) yield chunk({ content })
    const calls = callsOf(reply, count)
    for (const [index, { id, name, input }] of calls.entries()) {
      yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
      yield chunk({ tool_calls: [{ index, function: { arguments: JSON.stringify(input) } }] })
    }
    yield chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')
    if (counted) {
      const usage = { prompt_tokens: counted.input, completion_tokens: counted.output }
      yield event({
        id: `chat_${count}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices: [],
        usage,
      })
    }
    yield 'data: [DONE]\n\n'
  },
}

function itemsOf({ role, content, tool_calls = [], tool_call_id = '' }: Message): Item[] {
  if (role === 'system') return []
  if (role === 'tool') return [{ type: 'result', id: tool_call_id, output: joinText(content), failed: false }]
  const text = joinText(content)
  return [
    ...(text === '' ? [] : [{ type: role, text }]),
    ...tool_calls.map(({ id, function: { name, arguments: input } }) => {
      return { type: 'call' as const, id, name, input: JSON.parse(input) }
    }),
  ]
}

function joinText(content: Message['content']): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('')
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
