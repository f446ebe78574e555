import * as z from 'zod'
import type { AgentEvent, AgentText, EventReader } from './agent-text.ts'

// `claude -p --output-format stream-json`, with and without `--include-partial-messages`. Tool results are `user` events:
// they are not text written by the agent, so a block quoted there is not a question.

const assistant = z.object({
  message: z.object({ content: z.array(z.object({ type: z.string(), text: z.string().optional() })) }),
})
const streamed = z.object({
  // Pieces of sub-agents arrive interleaved, so their whole messages are used instead.
  parent_tool_use_id: z.null().optional(),
  event: z.object({
    type: z.string(),
    delta: z.object({ type: z.string().optional(), text: z.string().optional() }).optional(),
  }),
})
const result = z.object({ result: z.string() })

const stateSchema = z.object({
  session: z.string().nullable(),
  hasSpoken: z.boolean(),
  /** The lengths of texts of this message that arrived in pieces and will be repeated as a whole. */
  given: z.array(z.number()),
  piece: z.number(),
})
const initialState: z.output<typeof stateSchema> = { session: null, hasSpoken: false, given: [], piece: 0 }

export function createClaudeReader(from?: unknown): EventReader {
  let { session, hasSpoken, given, piece } = stateSchema.safeParse(from).data ?? initialState
  return { read, session: () => session, state: () => ({ session, hasSpoken, given, piece }) }

  function read(event: AgentEvent): AgentText[] {
    if ('session_id' in event && typeof event.session_id === 'string') session = event.session_id
    const texts = readByType(event)
    hasSpoken ||= texts.length > 0
    return texts
  }

  function readByType(event: AgentEvent): AgentText[] {
    switch (event.type) {
      case 'stream_event':
        return readPiece(streamed.safeParse(event).data?.event)
      case 'assistant':
        return readMessage(assistant.safeParse(event).data?.message.content ?? [])
      case 'result':
        return readResult(result.safeParse(event).data?.result)
      default:
        return []
    }
  }

  function readPiece(event: z.output<typeof streamed>['event'] | undefined): AgentText[] {
    if (!event) return []
    if (event.type !== 'content_block_delta') {
      const ended = endPiece()
      if (event.type === 'message_start') given = []
      return ended
    }
    if (event.delta?.type !== 'text_delta' || !event.delta.text) return []
    piece += event.delta.text.length
    return [{ text: event.delta.text, whole: false }]
  }

  function readMessage(content: z.output<typeof assistant>['message']['content']): AgentText[] {
    const ended = endPiece()
    const texts = content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []))
    return [...ended, ...texts.filter(text => !wasGiven(text)).map(text => ({ text, whole: true }))]
  }

  /** The result repeats the last message, so it counts only if there was no other text, as without streaming. */
  function readResult(text: string | undefined): AgentText[] {
    return text === undefined || hasSpoken ? [] : [{ text, whole: true }]
  }

  function endPiece(): AgentText[] {
    if (piece === 0) return []
    given = [...given, piece].slice(-100)
    piece = 0
    return [{ text: '', whole: true }]
  }

  // Compares lengths: a text that failed midway and was generated again differs, and is returned as a whole.
  function wasGiven({ length }: string): boolean {
    const index = given.indexOf(length)
    if (index >= 0) given.splice(index, 1)
    return index >= 0
  }
}
