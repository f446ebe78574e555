import type { JSONSchema7, LanguageModel, LanguageModelUsage, ModelMessage } from 'ai'
import type { EntryOf, Usage } from '../journal/entries.ts'

export interface ModelCall {
  readonly model: LanguageModel
  readonly instructions: string
  readonly messages: ModelMessage[]
  readonly tools: readonly ToolDescription[]
  readonly toolChoice?: 'auto' | 'required'
  readonly signal: AbortSignal
  onText(text: string): void
}

interface ToolDescription {
  readonly name: string
  readonly description: string
  readonly schema: Record<string, unknown>
}

export interface Reply {
  readonly content: EntryOf<'assistant'>['content']
  readonly usage: Usage | null
  /** The text came to a stop by the signal. */
  readonly interrupted: boolean
}

/** One request to the model. What it says is passed on as it comes; the whole reply is returned. */
export async function callModel(call: ModelCall): Promise<Reply> {
  const { streamText, jsonSchema } = await import('ai')
  // Its warnings go to the terminal, in the middle of whatever is there.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  let text = ''
  const result = streamText({
    model: call.model,
    instructions: { role: 'system', content: call.instructions, providerOptions: cached },
    messages: withCachedEnd(call.messages),
    tools: Object.fromEntries(
      call.tools.map(({ name, description, schema }) => [
        name,
        { description, inputSchema: jsonSchema(schema as JSONSchema7) },
      ]),
    ),
    ...(call.tools.length > 0 ? { toolChoice: call.toolChoice ?? 'auto' } : {}),
    // The conversation is kept here, not at the provider: every request brings all of it.
    providerOptions: { openai: { store: false } },
    abortSignal: call.signal,
    // Retries are ours: they are shown to the person.
    maxRetries: 0,
    onError: () => {},
  })
  for await (const part of result.stream) {
    if (part.type === 'text-delta') {
      text += part.text
      call.onText(part.text)
    } else if (part.type === 'error') throw part.error
    else if (part.type === 'abort') return interrupted(text)
  }
  if (call.signal.aborted) return interrupted(text)
  const messages = await result.responseMessages
  const content = messages.filter(({ role }) => role === 'assistant').flatMap(({ content }) => partsOf(content))
  return {
    content: JSON.parse(JSON.stringify(content)) as Reply['content'],
    usage: usageOf(await result.usage),
    interrupted: false,
  }
}

function partsOf(content: unknown): unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: String(content) }]
}

/** What was said until then stays said; half a tool call is dropped. */
function interrupted(text: string): Reply {
  return { content: text.trim() ? [{ type: 'text', text }] : [], usage: null, interrupted: true }
}

// Anthropic reads what it has read before at a tenth of the price, up to such a mark; others ignore it.
const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }

function withCachedEnd(messages: ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1)
  return last ? [...messages.slice(0, -1), { ...last, providerOptions: cached }] : messages
}

function usageOf({ inputTokens, outputTokens, inputTokenDetails }: LanguageModelUsage): Usage | null {
  if (inputTokens === undefined && outputTokens === undefined) return null
  const cacheRead = inputTokenDetails?.cacheReadTokens ?? 0
  const cacheWrite = inputTokenDetails?.cacheWriteTokens ?? 0
  return {
    input: Math.max(0, (inputTokens ?? 0) - cacheRead - cacheWrite),
    output: outputTokens ?? 0,
    cacheRead,
    cacheWrite,
  }
}
