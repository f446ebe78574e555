import * as z from 'zod'
import {
  addTargetSchema,
  answerSchema,
  appendLogSchema,
  askSchemas,
  cancelSchema,
  changeRunSchema,
  checkpointSchema,
  createTokenSchema,
  declineSchema,
  draftSchema,
  errorCodes,
  eventSchema,
  keptSchema,
  logEndSchema,
  logPageSchema,
  pushEndpointSchema,
  pushSubscriptionSchema,
  requestSchema,
  runSchema,
  saveCheckpointSchema,
  scopes,
  shownRuleSchema,
  skipSchema,
  startRunSchema,
  targetSchema,
  tokenSchema,
  verdictSchema,
} from '../protocol/index.ts'
import { type Operation, operations } from './operations/index.ts'

type Json = Record<string, unknown>

/** The whole of the HTTP API as OpenAPI 3.1, made from the very schemas that read what is sent. */
export function describeApi(version: string, url: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Beckon',
      version,
      description: 'Agents ask. A person answers. The agent carries on.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ token: [] }, { session: [] }],
    paths: pathsOf(operations),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token: `beckon token create`.' },
        session: { type: 'apiKey', in: 'cookie', name: 'beckon', description: 'A browser that is signed in.' },
      },
      schemas: schemas(),
    },
  }
}

function pathsOf(list: readonly Operation[]): Json {
  const paths: Record<string, Json> = {}
  for (const operation of list) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) }
  }
  return paths
}

function describe({
  method,
  path,
  name,
  summary,
  scope,
  query = {},
  body,
  result,
  more = {},
  status = 200,
}: Operation): Json {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => parameter('path', name ?? '', { type: 'string' }))
  const inQuery = Object.entries(query).map(([name, schema]) => parameter('query', name, schema))
  return {
    operationId: name,
    summary,
    tags: [path.split('/')[2] ?? 'server'],
    ...(scope === null ? { security: [] } : { description: `Needs the scope \`${scope}\`.` }),
    ...(inPath.length + inQuery.length > 0 ? { parameters: [...inPath, ...inQuery] } : {}),
    ...(body ? { requestBody: { required: method !== 'DELETE', content: sentContent(body) } } : {}),
    responses: {
      [status]: { description: 'Done.', content: contentOf(result) },
      ...Object.fromEntries(Object.entries(more).map(([status, text]) => [status, fault(text)])),
      default: fault('Refused; the code says why.'),
    },
  }
}

function sentContent(body: string): Json {
  return body === 'bytes' ? { 'application/octet-stream': {} } : content(ref(body))
}

function contentOf(result: Operation['result']): Json {
  if (result === 'stream') {
    return { ...content(ref('EventPage')), 'text/event-stream': { schema: { type: 'string' } } }
  }
  if (result === 'text') return { 'text/plain': { schema: { type: 'string' } } }
  if (result === 'html') return { 'text/html': { schema: { type: 'string' } } }
  return content(ref(result))
}

function parameter(place: string, name: string, schema: Json): Json {
  return { in: place, name, required: place === 'path', schema }
}

function fault(description: string): Json {
  return { description, content: content(ref('Error')) }
}

function content(schema: Json): Json {
  return { 'application/json': { schema } }
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

function schemas(): Json {
  const sent = (schema: z.ZodType) => jsonSchema(schema, 'input')
  const shown = (schema: z.ZodType) => jsonSchema(schema, 'output')
  const list = (field: string, of: string, more: Json = {}) =>
    object({ [field]: { type: 'array', items: ref(of) }, ...more })
  const nullableText = { type: ['string', 'null'] }
  return {
    Ask: { anyOf: Object.values(askSchemas).map(sent) },
    Answer: sent(answerSchema),
    Skip: sent(skipSchema),
    Decline: sent(declineSchema),
    Cancel: sent(cancelSchema),
    DraftInput: sent(draftSchema),
    Deadline: object({
      timeout: { type: ['number', 'string', 'null'], description: 'From now; 15m, or milliseconds.' },
    }),
    Use: {
      type: 'object',
      properties: { digest: { type: 'string' }, executed: { type: 'string' }, again: { type: 'boolean' } },
    },
    StartRun: sent(startRunSchema),
    ChangeRun: sent(changeRunSchema),
    Reason: { type: 'object', properties: { reason: nullableText } },
    CreateToken: sent(createTokenSchema),
    SignIn: object({ secret: { type: 'string' } }),
    Empty: { type: 'object' },
    Request: shown(requestSchema),
    RequestPage: list('requests', 'Request', { next: nullableText, cursor: { type: 'integer' } }),
    Used: object({ request: ref('Request'), value: nullableText }),
    Draft: object({ draft: { anyOf: [{ type: 'object' }, { type: 'null' }] } }),
    Event: shown(eventSchema),
    EventPage: list('events', 'Event', { last: { type: 'integer' } }),
    Run: shown(runSchema),
    RunList: list('runs', 'Run'),
    RunLog: shown(logPageSchema),
    AppendLog: sent(appendLogSchema),
    LogEnd: shown(logEndSchema),
    SaveCheckpoint: sent(saveCheckpointSchema.omit({ run: true })),
    Checkpoint: shown(checkpointSchema),
    CheckpointList: list('checkpoints', 'Checkpoint'),
    Kept: shown(keptSchema),
    KeptList: list('kept', 'Kept'),
    ForgottenKept: object({ kept: ref('Kept') }),
    AllowByRule: object({ rule: { type: 'string' } }),
    Command: object({ command: { type: 'string' } }),
    Verdict: shown(verdictSchema),
    Rule: shown(shownRuleSchema),
    RuleList: list('rules', 'Rule'),
    RemovedRule: object({ rule: ref('Rule') }),
    Token: shown(tokenSchema),
    TokenList: list('tokens', 'Token'),
    NewToken: object({ token: ref('Token'), secret: { type: 'string' } }),
    RevokedToken: object({ token: ref('Token') }),
    AddTarget: sent(addTargetSchema),
    Target: shown(targetSchema),
    TargetList: list('targets', 'Target'),
    OneTarget: object({ target: ref('Target') }),
    NewTarget: object({ target: ref('Target'), secret: nullableText }),
    TargetTest: object({ delivered: { type: 'boolean' }, finding: { type: 'string' } }),
    PushKey: object({ key: { type: 'string' } }),
    PushSubscription: sent(pushSubscriptionSchema),
    PushEndpoint: sent(pushEndpointSchema),
    Removed: object({ removed: { type: 'boolean' } }),
    Session: object({ user: { type: 'string' }, scope: { enum: scopes }, expiresAt: nullableText }),
    NewSession: object({
      user: { type: 'string' },
      scope: { enum: scopes },
      expiresAt: nullableText,
      page: { type: 'string', description: 'Goes with the cookie in every call, as the header `Beckon-Page`.' },
    }),
    Ended: object({ ended: { type: 'boolean' } }),
    SessionList: object({
      sessions: {
        type: 'array',
        items: object({
          id: { type: 'string' },
          user: { type: 'string' },
          scope: { enum: ['answer', 'admin'] },
          device: nullableText,
          createdAt: { type: 'string' },
          lastUsedAt: nullableText,
          expiresAt: nullableText,
          current: { type: 'boolean' },
        }),
      },
    }),
    EndedSessions: object({ ended: { type: 'array', items: { type: 'string' } } }),
    Link: object({ url: { type: 'string' }, expiresAt: { type: 'string' } }),
    Document: { type: 'object' },
    Health: object({ ok: { const: true }, version: { type: 'string' } }),
    Error: object({
      error: object({ code: { enum: errorCodes }, message: { type: 'string' }, details: {} }),
    }),
  }
}

function object(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** What a refinement says beyond the shape is told by the error; a schema cannot say it. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}
