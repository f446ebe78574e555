import * as z from 'zod'
import type { Json } from '../../protocol/canonical-json.ts'
import { jsonSchema } from '../../protocol/json-schema.ts'
import { parse } from '../../protocol/parse.ts'

// What our plugin for opencode (plugins/opencode/) writes, and what it reads.

const common = {
  /** opencode's own names. */
  session: z.string().min(1),
  id: z.string().min(1),
  cwd: z.string().min(1),
}

const documentSchema = z.discriminatedUnion('event', [
  /** What do the guard and people's rules say about this call? */
  z.object({ event: z.literal('judge'), ...common, tool: z.string().min(1), input: jsonSchema }),
  /** Ask a person about this call. */
  z.object({ event: z.literal('ask'), ...common, tool: z.string().min(1), input: jsonSchema }),
  z.object({
    event: z.literal('question'),
    ...common,
    questions: z.array(
      z.object({
        question: z.string(),
        header: z.string().optional(),
        options: z.array(z.object({ label: z.string(), description: z.string().optional() })).optional(),
        multiple: z.boolean().optional(),
        custom: z.boolean().optional(),
      }),
    ),
  }),
])

export type Document = z.output<typeof documentSchema>
export type CallDocument = Extract<Document, { tool: string }>
export type QuestionDocument = Extract<Document, { event: 'question' }>

export function readDocument(input: unknown): Document {
  return parse(documentSchema, input)
}

export type Answer =
  | { readonly decision: 'allow'; readonly input?: Json }
  | { readonly decision: 'deny'; readonly reason: string }
  /** Only to `judge`: a person must see it first. */
  | { readonly decision: 'ask'; readonly reason: string }
  | { readonly decision: 'answered'; readonly answers: readonly (readonly string[])[] }
  | { readonly decision: 'withdrawn' }
