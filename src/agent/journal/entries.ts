import * as z from 'zod'

// A conversation is a file of lines, one fact each, appended and never changed. The messages to the model, the open
// questions and the calls that a crash cut off all follow from reading it from the start:
//   conversation  the first line: its id, its mode and where it works
//   user          a person's message; while calls are open, the model gets it after their results
//   assistant     one whole reply of the model, with its calls
//   asked         the request of a call that waits for a person
//   started       a call with an effect is about to run; without a result after it, nobody knows how far it got
//   result        how a call ended: exactly one each
//   plan          plan mode was turned on or off; a result with an approved plan ends it, too
//   compacted     from now on this summary replaces everything before the named line
//   checkpoint    the files as they were before the person's last message
//   model         the model that replies from now on
//   rewinding     the files are about to be restored, and the conversation to be cut back to its first lines
//   rewound       the conversation consists of its first lines and what comes after this one
//   ended         the turn ended
//   closed        the conversation was reset; it is kept and not continued

const part = z.looseObject({ type: z.string() })

const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
})
export type Usage = z.output<typeof usageSchema>

const answerSchema = z.object({ question: z.string(), answer: z.string() })
/** What a person answered, word for word: it survives every summary. */
export type KeptAnswer = z.output<typeof answerSchema>

/** An image of a message: its file in images/, named by its content, and the name that the person knows. */
const imageSchema = z.object({ file: z.string(), mediaType: z.string(), name: z.string() })
export type KeptImage = z.output<typeof imageSchema>

export const entrySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('conversation'),
    version: z.literal(1),
    id: z.string(),
    mode: z.enum(['agent', 'chat']),
    cwd: z.string(),
    path: z.array(z.string()),
    run: z.string().nullable(),
    at: z.string(),
  }),
  z.object({
    type: z.literal('user'),
    text: z.string(),
    /** As the person saw it, where that is shorter: a long paste is shown by its length. */
    shown: z.string().optional(),
    images: z.array(imageSchema).optional(),
    at: z.string(),
  }),
  z.object({
    type: z.literal('assistant'),
    content: z.array(part),
    model: z.string(),
    usage: usageSchema.nullable(),
    interrupted: z.boolean().optional(),
    /** Our estimate where the provider was stopped before it counted. */
    estimated: usageSchema.optional(),
    at: z.string(),
  }),
  z.object({ type: z.literal('asked'), call: z.string(), request: z.string(), at: z.string() }),
  z.object({ type: z.literal('started'), call: z.string(), at: z.string() }),
  z.object({
    type: z.literal('result'),
    call: z.string(),
    tool: z.string(),
    output: z.string(),
    failed: z.boolean(),
    /** The file with all of a shortened output. */
    whole: z.string().nullable(),
    request: z.string().nullable(),
    answers: z.array(answerSchema),
    files: z.array(z.string()),
    /** What changed in a file, as a unified diff, for people. */
    diff: z.string().optional(),
    /** A person asked back: the request that is still open, and the last message that is part of this result. */
    askedBack: z.object({ request: z.string(), message: z.string() }).optional(),
    plan: z.literal('approved').optional(),
    at: z.string(),
  }),
  z.object({ type: z.literal('plan'), on: z.boolean(), at: z.string() }),
  z.object({
    type: z.literal('compacted'),
    summary: z.string(),
    /** The number of the first line that is kept as it is. */
    from: z.number(),
    usage: usageSchema.nullable(),
    at: z.string(),
  }),
  z.object({ type: z.literal('checkpoint'), id: z.string(), at: z.string() }),
  z.object({ type: z.literal('model'), model: z.string(), at: z.string() }),
  z.object({
    type: z.literal('rewinding'),
    /** How many lines of the journal are kept. */
    to: z.number(),
    /** The checkpoint to restore; null where the files stay as they are. */
    checkpoint: z.string().nullable(),
    /** The checkpoint of the files as they were before; null where there is none. */
    before: z.string().nullable(),
    at: z.string(),
  }),
  z.object({
    type: z.literal('rewound'),
    to: z.number(),
    before: z.string().nullable(),
    at: z.string(),
  }),
  z.object({ type: z.literal('ended'), how: z.string(), at: z.string() }),
  z.object({ type: z.literal('closed'), at: z.string() }),
])
export type Entry = z.output<typeof entrySchema>
export type EntryOf<Type extends Entry['type']> = Extract<Entry, { type: Type }>
export type ConversationEntry = EntryOf<'conversation'>

/** An entry before the journal adds the time. */
export type NewEntry = Entry extends infer One ? (One extends Entry ? Omit<One, 'at'> : never) : never
