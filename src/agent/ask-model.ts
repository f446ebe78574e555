import type { History } from './journal/history.ts'
import type { ModelCall, Reply } from './model/call.ts'
import { type RetryOptions, withRetries } from './model/retry.ts'
import { callAndLog, type TrafficLog } from './model/traffic.ts'
import type { EventWithoutPath } from './tool-context.ts'

const maxTries = 6

interface AskModelOptions extends Omit<ModelCall, 'messages' | 'onText'> {
  readonly history: History
  emit(event: EventWithoutPath): void
  readonly traffic: TrafficLog | null
  readonly sleep?: RetryOptions['sleep'] | undefined
}

/** The model's next reply. Transient errors are retried and shown; an interruption is a reply that was cut short. */
export async function askModel({ history, emit, sleep, traffic, ...call }: AskModelOptions): Promise<Reply> {
  const { signal } = call
  const onText = (text: string) => emit({ type: 'text', text })
  const onRetry: RetryOptions['onRetry'] = retry => emit({ type: 'retry', ...retry })
  try {
    const reply = await withRetries(() => callAndLog({ ...call, messages: history.messages(), onText }, traffic), {
      ...{ signal, maxTries, onRetry },
      ...(sleep ? { sleep } : {}),
    })
    return { ...reply, content: withUniqueIds(reply, history) }
  } catch (error) {
    if (!signal.aborted) throw error
    return { content: [], usage: null, interrupted: true }
  }
}

/** Some models number their calls from the start in every reply; in a conversation each id must be unique. */
function withUniqueIds({ content, interrupted }: Reply, history: History): Reply['content'] {
  // An empty reply would leave it the model's turn forever.
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
