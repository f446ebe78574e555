import * as z from 'zod'
import { limits } from './limits.ts'
import { filledText, line } from './text.ts'

// A person asks back before deciding, or the agent replies; the request stays open. Who wrote it follows from the writer's
// rights, never from what it says.

export const messageSchema = z.object({
  id: z.string(),
  from: z.enum(['person', 'agent']),
  by: z.string(),
  text: z.string(),
  at: z.string(),
})
export type Message = z.output<typeof messageSchema>

export const messageInputSchema = z.strictObject({
  text: filledText(limits.message),
  /** The asker itself replies. A caller that may only ask always does; a person can, on what they asked themselves. */
  as: z.literal('agent').optional(),
  /** Which person, for a program that passes on what people write. */
  by: line(limits.name).optional(),
})
export type MessageInput = z.input<typeof messageInputSchema>

/** Gets each message of a person once. `reply` answers as the asker; where the request was settled meanwhile, it does nothing. */
export type OnMessage = (message: Message, reply: (text: string) => Promise<void>) => unknown
