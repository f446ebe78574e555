import { callsOf, type Item, pieces, usageOf, type Wire } from './wire.ts'

interface Body {
  tools?: { name?: string; type?: string; tools?: { name: string }[] }[]
  tool_choice?: unknown
  input: Input[]
}

interface Input {
  type?: string
  role?: 'system' | 'developer' | 'user' | 'assistant'
  content?: string | { text?: string; image_url?: string }[]
  call_id?: string
  namespace?: string
  name?: string
  arguments?: string
  output?: string | { text?: string }[]
}

export const responsesWire: Wire = {
  path: '/responses',

  read(body: Body) {
    const isSystem = ({ role }: Input) => role === 'system' || role === 'developer'
    return {
      wire: 'responses',
      system: body.input
        .filter(isSystem)
        .map(({ content }) => joinText(content))
        .join('\n'),
      tools: (body.tools ?? []).flatMap(({ name = '', type, tools = [] }) =>
        type === 'namespace' ? tools.map(tool => `${name}/${tool.name}`) : [name],
      ),
      toolChoice: body.tool_choice ?? null,
      items: body.input.filter(input => !isSystem(input)).flatMap(itemsOf),
      images: body.input.flatMap(({ content }) =>
        Array.isArray(content) ? content.flatMap(({ image_url }) => image_url ?? []) : [],
      ),
      size: JSON.stringify(body).length,
    }
  },

  *write(reply, count) {
    const counted = usageOf(reply)
    const base = { id: `resp_${count}`, object: 'response', created_at: 1, model: 'scripted' }
    yield event({ type: 'response.created', response: { ...base, status: 'in_progress', output: [] } })
    let output_index = 0
    if (reply.text) {
      const item = { type: 'message', id: `msg_${count}`, role: 'assistant', status: 'in_progress', content: [] }
      yield event({ type: 'response.output_item.added', output_index, item })
      for (const delta of pieces(reply.text)) {
        yield event({ type: 'response.output_text.delta', item_id: item.id, output_index, content_index: 0, delta })
      }
      const content = [{ type: 'output_text', text: reply.text, annotations: [] }]
      yield event({ type: 'response.output_item.done', output_index, item: { ...item, status: 'completed', content } })
      output_index += 1
    }
    for (const { id, name: path, input } of callsOf(reply, count)) {
      const [name, namespace] = path.split('/').reverse()
      const item = {
        ...{ type: 'function_call', id: `fc_${id}`, call_id: id, ...(namespace ? { namespace } : {}), name },
        ...{ arguments: '', status: 'in_progress' },
      }
      yield event({ type: 'response.output_item.added', output_index, item })
      const done = { ...item, arguments: JSON.stringify(input), status: 'completed' }
      yield event({
        type: 'response.function_call_arguments.delta',
        item_id: item.id,
        output_index,
        delta: done.arguments,
      })
      yield event({ type: 'response.output_item.done', output_index, item: done })
      output_index += 1
    }
    const { input = 0, output = 0 } = counted ?? {}
    const usage = counted && { input_tokens: input, output_tokens: output, total_tokens: input + output }
    yield event({ type: 'response.completed', response: { ...base, status: 'completed', output: [], usage } })
  },
}

function itemsOf({
  type,
  role,
  content,
  call_id = '',
  namespace,
  name = '',
  arguments: given = '{}',
  output = '',
}: Input): Item[] {
  if (type === 'function_call')
    return [{ type: 'call', id: call_id, name: namespace ? `${namespace}/${name}` : name, input: JSON.parse(given) }]
  if (type === 'function_call_output') return [{ type: 'result', id: call_id, output: joinText(output), failed: false }]
  return role === 'user' || role === 'assistant' ? [{ type: role, text: joinText(content) }] : []
}

function joinText(content: Input['content']): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('')
}

function event(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}
