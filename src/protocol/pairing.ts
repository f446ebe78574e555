import * as z from 'zod'
import { targetKinds } from './notify.ts'

// A pairing says that an account of a chat is a person: what is pressed there, that person has answered.

export const pairingSchema = z.object({
  id: z.string(),
  /** The name of the target. */
  target: z.string(),
  kind: z.enum(targetKinds),
  /** What the account calls itself. */
  account: z.string(),
  person: z.string(),
  createdAt: z.string(),
})
export type Pairing = z.output<typeof pairingSchema>

export const startedPairingSchema = z.object({
  code: z.string().nullable().describe('The person sends it to the bot, once. Null where nothing needs to be sent.'),
  link: z.string().nullable().describe('Opens the chat and sends the code; null where the chat has no such links.'),
  bot: z.string().nullable().describe('What the bot calls itself.'),
  expiresAt: z.string().nullable(),
  pairing: pairingSchema.nullable().describe('Null until the code was sent.'),
  warning: z.string().nullable().describe('Why what is pressed would not arrive, where that is so.'),
})
export type StartedPairing = z.output<typeof startedPairingSchema>
