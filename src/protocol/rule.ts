import * as z from 'zod'
import { answerGiven } from './answer-given.ts'
import { limits } from './limits.ts'
import { verdicts } from './severity.ts'
import { filledText, line, text } from './text.ts'

// A rule that a person made about commands: `exact` is one command in one directory, bound like an approval to the
// content of the files that it names; `prefix` is whatever begins with these words, anywhere within a folder. And one about
// a question: `answer` answers the same ask of the same asker as a person did.

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

const made = {
  note: z.string().nullable(),
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
const aboutCommands = { verdict: common.verdict, covers: z.array(z.string()), ...made }

const exactRule = z.object({
  scope: z.literal('exact'),
  ...aboutCommands,
  command: z.string(),
  cwd: z.string(),
  digest: z.string(),
})
const prefixRule = z.object({
  scope: z.literal('prefix'),
  ...aboutCommands,
  words: z.array(z.string()),
  within: z.string(),
})
const answerRule = z.object({
  scope: z.literal('answer'),
  ...made,
  /** The first question. */
  question: z.string(),
  answers: z.array(answerGiven),
  /** The answer in short; null where there are several questions. */
  value: z.union([z.string(), z.array(z.string())]).nullable(),
  agent: z.string(),
  cwd: z.string(),
  /** Whose asks it answers: a user of this machine or, where there is one, a token. */
  user: z.string(),
  token: z.string().nullable(),
})
export type CommandRule = z.output<typeof exactRule> | z.output<typeof prefixRule>
export type AnswerRule = z.output<typeof answerRule>

/** Nothing is ever deleted: a rule that was removed, or has expired, still says who made it and when. */
export const shownRuleSchema = z.discriminatedUnion('scope', [exactRule, prefixRule, answerRule])
export type Rule = z.output<typeof shownRuleSchema>
