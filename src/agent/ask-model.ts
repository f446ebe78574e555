import type { History } from './journal/history.ts'
import { callModel, type ModelCall, type Reply } from './model/call.ts'
import { type Retrying, withRetries } from './model/retry.ts'
import type { EventWithoutPath } from './tool-context.ts'

const mostTries = 6

interface Asking extends Omit<ModelCall, 'messages' | 'onText'> {
  readonly history: History
  emit(event: EventWithoutPath): void
  readonly sleep?: Retrying['sleep'] | undefined
}

/** The model's next reply. What passes is tried again, and shown; an interruption is a reply that was cut short. */
export async function askModel({ history, emit, sleep, ...call }: Asking): Promise<Reply> {
  const { signal } = call
  const onText = (text: string) => emit({ type: 'text', text })
  const onRetry: Retrying['onRetry'] = about => emit({ type: 'retry', ...about })
  try {
    const reply = await withRetries(() => callModel({ ...call, messages: history.messages(), onText }), {
      ...{ signal, mostTries, onRetry },
      ...(sleep ? { sleep } : {}),
    })
    return { ...reply, content: withOwnIds(reply, history) }
  } catch (error) {
    if (!signal.aborted) throw error
    return { content: [], usage: null, interrupted: true }
  }
}

/** Some models count their calls anew in every reply; here each has a name of its own. */
function withOwnIds({ content, interrupted }: Reply, history: History): Reply['content'] {
  // A reply of nothing would be asked for again and again.
  if (content.length === 0 && !interrupted) return [{ type: 'text', text: '(no reply)' }]
  const taken = new Set<string>()
  return content.map(part => {
    if (part.type !== 'tool-call') return part
    const given = String(part.toolCallId)
    let id = given
    for (let count = 2; taken.has(id) || history.hasCall(id); count += 1) id = `${given}-${count}`
    taken.add(id)
    return { ...part, toolCallId: id, input: part.input ?? {} }
  })
}
