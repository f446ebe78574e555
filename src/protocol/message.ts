import * as z from 'zod'
import { limits } from './limits.ts'
import { filledText } from './text.ts'

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

export const messageInputSchema = z.strictObject({ text: filledText(limits.message) })
export type MessageInput = z.input<typeof messageInputSchema>
