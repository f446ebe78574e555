import * as z from 'zod'
import { answerSchema, cancelSchema, declineSchema, editedSchema, skipSchema } from '../answer.ts'
import { askSchemas } from '../ask.ts'
import { attachmentSchema } from '../attachment.ts'
import { checkpointSchema, restoredSchema, restorePlanSchema, saveCheckpointSchema } from '../checkpoint.ts'
import { discardDraftSchema, draftReaderSchema, draftSchema, draftsSchema, shownDraftSchema } from '../draft.ts'
import { timeout } from '../duration.ts'
import { earlierSchema } from '../earlier.ts'
import { errorCodes } from '../errors.ts'
import { eventSchema } from '../event.ts'
import { inboxFilterSchema, inboxSchema, snoozeSchema } from '../inbox.ts'
import { keptSchema } from '../kept.ts'
import { limits } from '../limits.ts'
import { messageInputSchema, messageSchema } from '../message.ts'
import {
  addTargetSchema,
  changeTargetSchema,
  pushEndpointSchema,
  pushSubscriptionSchema,
  targetSchema,
} from '../notify.ts'
import { pairingSchema, startedPairingSchema } from '../pairing.ts'
import { requestSchema } from '../request.ts'
import { shownRuleSchema } from '../rule.ts'
import { changeRunSchema, runSchema, startRunSchema } from '../run.ts'
import { appendLogSchema, logEndSchema, logPageSchema } from '../run-log.ts'
import {
  newSessionSchema,
  phoneLinkSchema,
  sessionSchema,
  signedInBrowserSchema,
  signInLinkSchema,
  signInSchema,
} from '../session.ts'
import { findIdsSchema, foundIdSchema } from '../short-id.ts'
import { kinds, statuses } from '../status.ts'
import { line, text } from '../text.ts'
import { createTokenSchema, tokenSchema } from '../token.ts'
import { usedSchema, useSchema } from '../use.ts'
import { explanationSchema } from '../verdict.ts'

// The schemas of the table, by name. The entries name them instead of importing them, so that the page can use the
// table without loading zod. The names of bodies and results are the names of the components in OpenAPI.

/** The bodies of calls. */
export const bodies = {
  Ask: z.union([askSchemas.question, askSchemas.dependency, askSchemas.approval, askSchemas.review]),
  Answer: answerSchema,
  Skip: skipSchema,
  Decline: declineSchema,
  Cancel: cancelSchema,
  AllowByRule: z.strictObject({ rule: line(limits.name) }),
  Edited: editedSchema,
  Deadline: z.strictObject({
    timeout: timeout.nullable().describe('From now; `15m`, or milliseconds. Null for none.'),
  }),
  Use: useSchema,
  Snooze: snoozeSchema,
  MessageInput: messageInputSchema,
  HeardMessages: z.strictObject({ last: line(limits.name).describe('The id of the last message.') }),
  DraftInput: draftSchema,
  DiscardDraft: discardDraftSchema,
  StartRun: startRunSchema,
  ChangeRun: changeRunSchema,
  Reason: z.strictObject({ reason: text(limits.note).nullish() }),
  AppendLog: appendLogSchema,
  Restore: z.strictObject({
    force: z
      .boolean()
      .default(false)
      .describe('Also over work that is in no commit and no checkpoint; it is saved first.'),
  }),
  SaveCheckpoint: saveCheckpointSchema.omit({ run: true }),
  CreateToken: createTokenSchema,
  SignIn: signInSchema,
  AddTarget: addTargetSchema,
  ChangeTarget: changeTargetSchema,
  PushSubscription: pushSubscriptionSchema,
  PushEndpoint: pushEndpointSchema,
  McpMessage: z.looseObject({ jsonrpc: z.literal('2.0') }).describe('A message of the Model Context Protocol.'),
  Empty: z.object({}),
} as const satisfies Record<string, z.ZodType>
export type BodyName = keyof typeof bodies

// A query has nothing but text.
const number = z.coerce.number().int().nonnegative()
const boolean = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })

export const queries = {
  ListRequests: z.strictObject({
    status: z
      .enum([...statuses, 'all'])
      .optional()
      .describe('`pending` unless given.'),
    run: z.string().optional(),
    kind: z.enum(kinds).optional(),
    after: z.string().optional().describe('`next` of the page before.'),
    limit: number.optional().describe('100 unless given; at most 1000.'),
    order: z.enum(['asc', 'desc']).optional().describe('`asc`, oldest first, unless given.'),
    search: z.string().max(200).optional().describe('Needs the scope `answer`.'),
    session: z.string().max(200).optional().describe('Only those of this session of an agent.'),
  }),
  Inbox: inboxFilterSchema,
  FindIds: findIdsSchema,
  DraftReader: draftReaderSchema.extend({
    by: draftReaderSchema.shape.by.describe("Who asks, for a person's program; else the name of the token."),
  }),
  Wait: z.strictObject({
    wait: z.coerce.number().nonnegative().optional().describe('Seconds; at most 600, or what the server allows.'),
    orMessage: boolean.optional().describe('Also return when a person asks back.'),
  }),
  Upload: z.strictObject({
    name: z.string().trim().min(1).max(limits.path),
    note: z.string().max(limits.note).optional(),
  }),
  Attach: z.strictObject({ name: line(limits.path).describe('The name of the file.') }),
  Events: z.strictObject({
    since: number.optional().describe('The cursor: only events after this one. 0 is the beginning of what is left.'),
    after: number.optional().describe('The same as `since`.'),
    limit: number.optional().describe('At most 1000.'),
    allowGaps: boolean
      .optional()
      .describe('For a page: what is left after the cursor, also where events were deleted.'),
  }),
  ListRuns: z.strictObject({
    active: boolean.optional().describe('Only runs that have not ended.'),
    awake: boolean.optional().describe('Only active runs that are not asleep.'),
    ready: boolean.optional().describe('Only sleeping runs with nothing open, oldest first.'),
    host: line(limits.name).optional(),
    local: boolean.optional().describe('Only runs that were not announced over HTTP.'),
    limit: number.optional(),
  }),
  ReadLog: z.strictObject({
    after: z.string().max(100).optional().describe('`next` of the page before; or `end`.'),
    limit: number.optional().describe('Bytes.'),
    wait: z.coerce.number().nonnegative().optional().describe('Seconds, at most 60.'),
  }),
  ListCheckpoints: z.strictObject({ limit: number.optional() }),
  ListRules: z.strictObject({ all: boolean.optional() }),
} as const satisfies Record<string, z.ZodObject>
export type QueryName = keyof typeof queries

/** The JSON that is sent back. */
export const results = {
  Request: requestSchema,
  RequestPage: z.object({ requests: z.array(requestSchema), next: z.string().nullable(), cursor: z.int() }),
  FoundIds: z.object({ ids: z.array(foundIdSchema) }),
  Earlier: earlierSchema,
  Inbox: inboxSchema,
  Used: usedSchema,
  MessageList: z.object({ messages: z.array(messageSchema) }),
  AttachmentList: z.object({ attachments: z.array(attachmentSchema) }),
  Draft: z.object({ draft: shownDraftSchema.nullable() }),
  Drafts: draftsSchema,
  DiscardedDraft: z.object({ discarded: z.boolean() }),
  Explanation: explanationSchema,
  Event: eventSchema,
  EventPage: z.object({ events: z.array(eventSchema), last: z.int() }),
  Run: runSchema,
  RunList: z.object({ runs: z.array(runSchema) }),
  RunLog: logPageSchema,
  LogEnd: logEndSchema,
  RestorePlan: restorePlanSchema,
  Restored: restoredSchema,
  Checkpoint: checkpointSchema,
  CheckpointList: z.object({ checkpoints: z.array(checkpointSchema) }),
  Kept: keptSchema,
  KeptList: z.object({ kept: z.array(keptSchema) }),
  ForgottenKept: z.object({ kept: keptSchema }),
  Rule: shownRuleSchema,
  RuleList: z.object({ rules: z.array(shownRuleSchema) }),
  RemovedRule: z.object({ rule: shownRuleSchema }),
  Token: tokenSchema,
  TokenList: z.object({ tokens: z.array(tokenSchema) }),
  NewToken: z.object({ token: tokenSchema, secret: z.string() }),
  RevokedToken: z.object({ token: tokenSchema }),
  Target: targetSchema,
  TargetList: z.object({ targets: z.array(targetSchema) }),
  OneTarget: z.object({ target: targetSchema }),
  NewTarget: z.object({ target: targetSchema, secret: z.string().nullable(), warning: z.string().nullable() }),
  TargetTest: z.object({
    delivered: z.boolean(),
    finding: z.string(),
    sent: z.string(),
    reply: z.string(),
    warning: z.string().nullable(),
  }),
  StartedPairing: startedPairingSchema,
  PairingList: z.object({ pairings: z.array(pairingSchema) }),
  OnePairing: z.object({ pairing: pairingSchema }),
  PushKey: z.object({ key: z.string() }),
  Limits: z.object({
    asksPerSecond: z.number().describe("Of one agent's token."),
    askBurst: z.number().describe('How many at once, before `asksPerSecond` counts.'),
    maxBody: z.number().describe('Bytes; the files of an ask come on top.'),
    maxUpload: z.number().describe('Bytes.'),
    maxWait: z.number().describe('Seconds of one call.'),
    maxOpen: z.number().describe('Waits and streams of one token.'),
  }),
  CallbackSecret: z.object({ secret: z.string() }),
  Removed: z.object({ removed: z.boolean() }),
  Session: sessionSchema,
  NewSession: newSessionSchema,
  Ended: z.object({ ended: z.boolean() }),
  SessionList: z.object({ sessions: z.array(signedInBrowserSchema) }),
  EndedSessions: z.object({ ended: z.array(z.string()) }),
  SignInLink: signInLinkSchema,
  PhoneLink: phoneLinkSchema,
  Document: z.record(z.string(), z.unknown()),
  Health: z.object({ ok: z.literal(true), version: z.string() }),
  Error: z.object({
    error: z.object({ code: z.enum(errorCodes), message: z.string(), details: z.unknown() }),
  }),
} as const satisfies Record<string, z.ZodType>
export type ResultName = keyof typeof results
