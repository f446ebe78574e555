import * as z from 'zod'
import { timeout } from './duration.ts'
import { type ProgramEvent, programEvents } from './event-types.ts'
import { limits } from './limits.ts'
import { severities } from './severity.ts'
import { kinds } from './status.ts'
import { line } from './text.ts'

// A target is where people are notified that something waits for them. Its address and its secret are sealed; the part
// of the address that is shown reveals no secret. A browser that wants push messages is a target too.

export const targetKinds = ['webhook', 'ntfy', 'slack', 'telegram', 'desktop', 'push'] as const
export type TargetKind = (typeof targetKinds)[number]

const address = line(limits.path).refine(isAddress, 'must be http://… or https://…, without a user or password')

const timeOfDay = z.string().refine(isTimeOfDay, 'must be a time of day, such as 07:30')

/** Which requests a target hears of, and when. */
const wants = {
  kinds: z.array(z.enum(kinds)).min(1).nullish().describe('Only requests of these kinds; all of them unless given.'),
  minSeverity: z
    .enum(severities)
    .nullish()
    .describe('Only approvals of at least this severity; other kinds have none and pass.'),
  urgentOnly: z
    .boolean()
    .nullish()
    .describe('Only what is dangerous, or due within 15 minutes; what becomes urgent later is sent then.'),
  after: timeout.nullish().describe('Only requests that nobody answered for this long: 10m, or milliseconds.'),
  projects: z
    .array(line(limits.path))
    .min(1)
    .max(100)
    .nullish()
    .describe('Only requests from these folders and below: a path, or the name of a folder.'),
  quiet: z
    .strictObject({ from: timeOfDay, to: timeOfDay, exceptUrgent: z.boolean().optional() })
    .refine(({ from, to }) => from !== to, 'must begin and end at different times')
    .nullish()
    .describe('Hours in which messages wait, such as 22:00 to 07:00; with exceptUrgent, urgent ones do not.'),
  timeZone: line(limits.name)
    .refine(isTimeZone, 'must be a time zone, such as Europe/Berlin')
    .nullish()
    .describe('The time zone of quiet hours, and of times in messages.'),
}

/** Where the bots of a chat are called, unless `url` says otherwise. */
export const botAddresses = { slack: 'https://slack.com/api', telegram: 'https://api.telegram.org' } as const

export const addTargetSchema = z
  .strictObject({
    kind: z.enum(['webhook', 'ntfy', 'slack', 'telegram', 'desktop']),
    /** Needed by webhooks, ntfy topics and the incoming webhooks of chats. */
    url: address.nullish(),
    /** Signs what is sent to a webhook; the access token of an ntfy server; the token of a bot. */
    secret: line(limits.name).nullish(),
    /** Of a bot: the channel in Slack, or the chat in Telegram. Without it, messages go to the first person who pairs. */
    channel: line(limits.name).nullish(),
    /** Of a Slack app: the token that opens the connections of Socket Mode, xapp-…. */
    appToken: line(limits.name)
      .refine(token => /^xapp-[\w-]+$/.test(token), 'must be an app-level token, xapp-…')
      .nullish(),
    /** Of a Slack app: signs what Slack sends over HTTP. */
    signingSecret: line(limits.name)
      .refine(secret => /^[0-9a-f]{32,64}$/.test(secret), 'must be the signing secret of the app')
      .nullish(),
    name: line(limits.name).optional(),
    ...wants,
    events: z
      .array(z.enum(programEvents as [ProgramEvent, ...ProgramEvent[]]))
      .min(1)
      .nullish()
      .describe('Only for a webhook of a program: exactly these events, instead of what people are notified of.'),
  })
  .superRefine((input, context) => {
    const { kind, url = null, secret = null, channel = null, appToken, signingSecret } = input
    const { events, urgentOnly, after, quiet } = input
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (events && kind !== 'webhook') refuse('events', 'can only be chosen for a webhook')
    for (const [path, value] of Object.entries({ urgentOnly, after, quiet })) {
      if (events && value) refuse(path, 'is for people: a webhook that chose events gets them at once')
    }
    const isBot = kind === 'telegram' || (kind === 'slack' && (channel !== null || secret !== null))
    if (appToken && !(kind === 'slack' && isBot)) refuse('appToken', 'is only for a Slack app, with its bot token')
    if (signingSecret && !(kind === 'slack' && isBot)) {
      refuse('signingSecret', 'is only for a Slack app, with its bot token')
    }
    if (kind === 'desktop' && url !== null) refuse('url', 'is not for a desktop: it is the one of this machine')
    if (kind !== 'desktop' && !isBot && url === null) refuse('url', 'is required')
    if (kind === 'ntfy' && url !== null && !/^[\w-]{1,64}$/.test(topicOf(url))) {
      refuse('url', 'must end in a topic, such as https://ntfy.sh/my-topic')
    }
    if (!isBot && channel !== null) refuse('channel', 'is only for slack and telegram')
    if (kind === 'telegram' && channel !== null && !/^(-?\d{1,20}|@\w{5,32})$/.test(channel)) {
      refuse('channel', 'must be the id of a chat, such as 123456789, or @name')
    }
    if (isBot && secret === null) refuse('secret', "must be the bot's token")
    // The token is part of addresses and headers.
    if (isBot && secret !== null && !/^[\w:.-]+$/.test(secret)) refuse('secret', 'is not the token of a bot')
  })
export type AddTargetInput = z.input<typeof addTargetSchema>

/** What is not given stays; null takes it away. */
export const changeTargetSchema = z.strictObject(wants)
export type ChangeTargetInput = z.input<typeof changeTargetSchema>
export type ChangeTarget = z.output<typeof changeTargetSchema>

export const targetSchema = z.object({
  name: z.string(),
  kind: z.enum(targetKinds),
  /** The part of the address that reveals no secret. */
  address: z.string(),
  kinds: z.array(z.enum(kinds)).nullable(),
  minSeverity: z.enum(severities).nullable(),
  events: z.array(z.string()).optional().describe('What a webhook of a program is sent.'),
  urgentOnly: z.boolean().optional().describe('Only what is dangerous, or due within 15 minutes.'),
  after: z.number().optional().describe('Only requests that nobody answered for this number of milliseconds.'),
  projects: z.array(z.string()).optional().describe('Only requests from these folders and below.'),
  quiet: z
    .object({ from: z.string(), to: z.string(), exceptUrgent: z.boolean().optional() })
    .optional()
    .describe('Hours in which messages wait.'),
  timeZone: z.string().optional().describe('The time zone of quiet hours, and of times in messages.'),
  quickAnswers: z.boolean().optional().describe('Simple questions may be answered in the notification.'),
  by: z.string(),
  createdAt: z.string(),
})
export type Target = z.output<typeof targetSchema>

/** The secret is shown once, and only where the hub made it. */
export interface NewTarget {
  target: Target
  secret: string | null
  /** What to know about it: that links in its messages open on one machine only. */
  warning: string | null
}

/** How a test message went. */
export interface TargetTest {
  delivered: boolean
  finding: string
  /** The text that was sent. */
  sent: string
  /** The start of what came back. */
  reply: string
  warning: string | null
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

function isTimeOfDay(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
}

/** Whether it names a time zone that this machine knows, such as Europe/Berlin. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
