import * as z from 'zod'
import { limits } from './limits.ts'
import { filledText, line, text } from './text.ts'
import { verdicts } from './verdict.ts'

// A rule that a person made about commands: `exact` is one command in one directory, bound like an approval to the
// content of the files that it names; `prefix` is whatever begins with these words, anywhere within a folder.

export const ruleScopes = ['exact', 'prefix'] as const
export type RuleScope = (typeof ruleScopes)[number]

/** What "always" would mean for an action, so that a person sees it before it is kept. */
export const alwaysSchema = z.strictObject({
  exact: z.boolean().default(false),
  prefix: z
    .strictObject({ words: z.array(filledText(limits.label)).min(1).max(10), within: filledText(limits.path) })
    .nullable()
    .default(null),
})
export type Always = z.output<typeof alwaysSchema>

const common = {
  verdict: z.enum(verdicts),
  /** Why, in the words of the person who made it. */
  note: text(limits.note).nullable().default(null),
  /** Ids of what the guard said about the command when the rule was made: an allowance covers no other danger. */
  covers: z.array(line(limits.name)).max(limits.options).default([]),
  expires: z.int().min(1).max(limits.timeout).nullable().default(null),
}

export const ruleSchema = z.discriminatedUnion('scope', [
  z.strictObject({
    scope: z.literal('exact'),
    ...common,
    command: filledText(limits.command),
    cwd: filledText(limits.path),
    digest: line(limits.name),
  }),
  z.strictObject({
    scope: z.literal('prefix'),
    ...common,
    words: z.array(filledText(limits.label)).min(1).max(10),
    within: filledText(limits.path),
  }),
])
export type RuleInput = z.input<typeof ruleSchema>
export type ParsedRule = z.output<typeof ruleSchema>

const shown = {
  verdict: common.verdict,
  note: z.string().nullable(),
  covers: z.array(z.string()),
  id: z.string(),
  /** The request that it was made with, if any. */
  request: z.string().nullable(),
  by: z.string(),
  channel: z.string(),
  at: z.string(),
  expiresAt: z.string().nullable(),
  removedAt: z.string().nullable(),
  removedBy: z.string().nullable(),
}

/** Nothing is ever deleted: a rule that was removed, or has expired, still says who made it and when. */
export const shownRuleSchema = z.discriminatedUnion('scope', [
  z.object({ scope: z.literal('exact'), ...shown, command: z.string(), cwd: z.string(), digest: z.string() }),
  z.object({ scope: z.literal('prefix'), ...shown, words: z.array(z.string()), within: z.string() }),
])
export type Rule = z.output<typeof shownRuleSchema>
