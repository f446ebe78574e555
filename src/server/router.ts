import type { Context, Hono } from 'hono'
import { requireScope } from '../hub/permissions/refusals.ts'
import { readArguments } from '../protocol/operations/arguments.ts'
import type { Operation } from '../protocol/operations/index.ts'
import type { QueryName } from '../protocol/operations/schemas.ts'
import { findVerb, type Verb } from '../protocol/operations/verbs.ts'
import { settle } from './ask-and-settle.ts'
import { compress } from './compress.ts'
import { createHandlers } from './handlers/index.ts'
import { checkedBody, checkedQuery } from './read-call.ts'
import { bodyOf, callOf, type Env, type Handler, type RouteContext, reply } from './route-context.ts'

/** Serves every operation of the table: by its handler where it has one, else by the verb of the hub. */
export function bindOperations(app: Hono<Env>, context: RouteContext): void {
  const handlers: Partial<Record<string, Handler>> = createHandlers(context)
  for (const operation of context.operations) {
    const handle = operation.handler ? handlers[operation.name] : verbHandler(operation, context)
    if (!handle) throw new Error(`The server has no handler for ${operation.name}.`)
    app.on(operation.method, operation.path, async c => {
      c.set('maxBody', context.limits.maxBody)
      const work = async () => {
        await authorize(c, operation, context)
        return operation.compressible ? compress(c, await handle(c)) : handle(c)
      }
      return context.calls.observe(operation, c.req.header('traceparent'), work)
    })
  }
}

async function authorize(c: Context<Env>, operation: Operation, { authentication }: RouteContext): Promise<void> {
  if (operation.scope === null) return
  const contentType = operation.body === 'bytes' ? 'application/octet-stream' : 'application/json'
  const options = { contentType, cookieIsEnough: operation.opensInBrowser ?? false } as const
  const caller = await authentication.authenticate(callOf(c), options)
  requireScope(caller.grant, operation.scope)
  c.set('caller', caller)
}

function verbHandler(operation: Operation, context: RouteContext): Handler {
  if (!findVerb(context.hub, operation.name)) throw new Error(`The hub has no verb ${operation.name}.`)
  if (operation.settles) {
    return async c => {
      const id = c.req.param('id') as string
      const { request, headers } = await settle(context, c.get('caller'), operation, id, await bodyOf(c))
      return reply(c, request, 200, headers)
    }
  }
  return async c => {
    const verb = findVerb(c.get('caller').hub, operation.name) as Verb
    const value = await verb(...readArguments(operation, await partsOf(c, operation)))
    const document = operation.resultField ? { [operation.resultField]: value } : (value as object)
    return reply(c, document, operation.status)
  }
}

async function partsOf(c: Context<Env>, operation: Operation) {
  const { body, query } = operation
  return {
    params: c.req.param(),
    query: query ? checkedQuery(query as QueryName, c.req.query()) : {},
    body: body && body !== 'Empty' ? checkedBody(operation, await bodyOf(c)) : undefined,
  }
}
