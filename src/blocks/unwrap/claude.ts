import * as z from 'zod'
import type { AgentEvent, EventReader, Said } from './agent-text.ts'

// `claude -p --output-format stream-json`, with and without `--include-partial-messages`. What tools returned is in
// `user` events: it is not the agent speaking, and a block quoted there is no question.

const assistant = z.object({
  message: z.object({ content: z.array(z.object({ type: z.string(), text: z.string().optional() })) }),
})
const streamed = z.object({
  // A sub-agent's pieces come in between those of others; its whole messages are taken instead.
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
  /** The lengths of the texts of this message that came in pieces and will come again whole. */
  given: z.array(z.number()),
  piece: z.number(),
})
const beginning: z.output<typeof stateSchema> = { session: null, hasSpoken: false, given: [], piece: 0 }

export function createClaudeReader(from?: unknown): EventReader {
  let { session, hasSpoken, given, piece } = stateSchema.safeParse(from).data ?? beginning
  return { read, session: () => session, state: () => ({ session, hasSpoken, given, piece }) }

  function read(event: AgentEvent): Said[] {
    if ('session_id' in event && typeof event.session_id === 'string') session = event.session_id
    const said = readByType(event)
    hasSpoken ||= said.length > 0
    return said
  }

  function readByType(event: AgentEvent): Said[] {
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

  function readPiece(event: z.output<typeof streamed>['event'] | undefined): Said[] {
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

  function readMessage(content: z.output<typeof assistant>['message']['content']): Said[] {
    const ended = endPiece()
    const texts = content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []))
    return [...ended, ...texts.filter(text => !wasGiven(text)).map(text => ({ text, whole: true }))]
  }

  /** The result repeats the last message; it is news only where nothing else was said, as without the stream. */
  function readResult(text: string | undefined): Said[] {
    return text === undefined || hasSpoken ? [] : [{ text, whole: true }]
  }

  function endPiece(): Said[] {
    if (piece === 0) return []
    given = [...given, piece].slice(-100)
    piece = 0
    return [{ text: '', whole: true }]
  }

  // By its length: a text that was begun in pieces and then made anew, after a failure, is another one and is given.
  function wasGiven({ length }: string): boolean {
    const place = given.indexOf(length)
    if (place >= 0) given.splice(place, 1)
    return place >= 0
  }
}
