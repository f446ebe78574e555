import type { Message } from '../message.ts'

/** One notification of a desktop. `replaces` is the handle of the one that it takes the place of. */
export interface Notification {
  title: string
  lines: string[]
  urgency: Message['urgency']
  subject: string
  replaces: string | null
}
