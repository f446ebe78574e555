import * as z from 'zod'
import { limits } from './limits.ts'
import { kinds } from './status.ts'
import { line } from './text.ts'
import { severities } from './verdict.ts'

// A target is where people are notified that something waits for them. Its address and its secret are sealed; the part
// of the address that is shown reveals no secret. A browser that wants push messages is a target too.

export const targetKinds = ['webhook', 'ntfy', 'slack', 'push'] as const
export type TargetKind = (typeof targetKinds)[number]

const address = line(limits.path).refine(isAddress, 'must be http://… or https://…, without a user or password')

export const addTargetSchema = z
  .strictObject({
    kind: z.enum(['webhook', 'ntfy', 'slack']),
    url: address,
    /** Signs what is sent to a webhook; the access token of an ntfy server. */
    secret: line(limits.name).nullish(),
    name: line(limits.name).optional(),
    /** Only requests of these kinds; all of them unless given. */
    kinds: z.array(z.enum(kinds)).min(1).nullish(),
    /** Only approvals of at least this severity; other kinds have none and pass. */
    minSeverity: z.enum(severities).nullish(),
  })
  .refine(({ kind, url }) => kind !== 'ntfy' || /^[\w-]{1,64}$/.test(topicOf(url)), {
    path: ['url'],
    message: 'must end in a topic, such as https://ntfy.sh/my-topic',
  })
export type AddTargetInput = z.input<typeof addTargetSchema>

export const targetSchema = z.object({
  name: z.string(),
  kind: z.enum(targetKinds),
  /** The part of the address that reveals no secret. */
  address: z.string(),
  kinds: z.array(z.enum(kinds)).nullable(),
  minSeverity: z.enum(severities).nullable(),
  urgentOnly: z.boolean().optional().describe('Only what is dangerous, or due within 15 minutes.'),
  quickAnswers: z.boolean().optional().describe('Simple questions may be answered in the notification.'),
  by: z.string(),
  createdAt: z.string(),
})
export type Target = z.output<typeof targetSchema>

/** The secret is shown once, and only where the hub made it. */
export interface NewTarget {
  target: Target
  secret: string | null
}

/** How a test message went. */
export interface TargetTest {
  delivered: boolean
  finding: string
}

const key = z.string().regex(/^[\w-]+=*$/, 'must be base64url')

export const pushEndpointSchema = z.object({
  endpoint: line(limits.path).refine(text => isAddress(text) && /^https:/i.test(text), 'must be https://…'),
})

/** What `PushSubscription.toJSON()` gives in a browser. */
export const pushSubscriptionSchema = pushEndpointSchema.extend({
  keys: z.object({
    p256dh: key.refine(text => bytesIn(text) === 65, 'must be a P-256 public key'),
    auth: key.refine(text => bytesIn(text) === 16, 'must have 16 bytes'),
  }),
  urgentOnly: z
    .boolean()
    .optional()
    .describe('Only what is dangerous, or due within 15 minutes; everything unless given.'),
  quickAnswers: z
    .boolean()
    .optional()
    .describe(
      'Whether messages carry the options of a simple question, to answer in the notification; not unless given.',
    ),
})
export type PushSubscriptionInput = z.input<typeof pushSubscriptionSchema>

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

function topicOf(url: string): string {
  return URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : ''
}

function bytesIn(base64url: string): number {
  return Math.floor((base64url.replace(/=+$/, '').length * 3) / 4)
}
