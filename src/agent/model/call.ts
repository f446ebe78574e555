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
  /** The signal stopped the reply. */
  readonly interrupted: boolean
}

/** One request to the model. Its text is passed on as it arrives; the whole reply is returned. */
export async function callModel(call: ModelCall): Promise<Reply> {
  const { streamText, jsonSchema } = await import('./sdk.ts')
  // Its warnings would land in the middle of the screen.
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
    // The conversation is stored here, not at the provider: every request carries all of it.
    providerOptions: { openai: { store: false } },
    abortSignal: call.signal,
    // We retry ourselves, and show it to the person.
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

/** Keeps the text so far; drops half a tool call. */
function interrupted(text: string): Reply {
  return { content: text.trim() ? [{ type: 'text', text }] : [], usage: null, interrupted: true }
}

// Anthropic charges a tenth for what it has read before, up to such a mark; other providers ignore it.
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
