import { setImmediate } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import { parse } from '../protocol/parse.ts'
import type { Request } from '../protocol/request.ts'
import type { Asker, Meta } from './asker.ts'
import type { Call, Machine } from './call.ts'
import { type Document, errorDocument } from './documents.ts'
import type { Repeats } from './repeats.ts'
import { describeInput, type Tool } from './tools/tool.ts'
import { waitWithProgress } from './wait-with-progress.ts'

/** What the tools of one connection work with. */
export interface Door {
  readonly hub: HubApi
  readonly version: string
  readonly tools: readonly Tool[]
  readonly machine: Machine | null
  readonly repeats: Repeats
  /** Who makes this call. */
  asker(server: Server, meta: Meta): Asker | Promise<Asker>
  /** How long a call of this client may wait for a person, in milliseconds. */
  limit(client: string | null, hasProgress: boolean): number
  isOwn(request: Request, asker: Asker): Promise<boolean>
  /** The server ends: calls that wait return their tickets. */
  readonly closing: AbortSignal
  /** Called with what no caller is told. */
  onFault(error: unknown): void
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>
type Params = { name: string; arguments?: object | undefined }

/** An MCP server with our tools. Connect it with the function that comes with it. */
export function createMcpServer(door: Door) {
  const { version, tools } = door
  const server = new Server({ name: 'beckon', title: 'Beckon', version }, { capabilities: { tools: {} }, instructions })
  const afterSending = new Map<string | number, (() => Promise<unknown>)[]>()
  const underWay = new Set<Promise<unknown>>()
  server.onerror = () => {}
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(describe) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const calling = callTool(params, extra).catch(refuse)
    track(calling)
    return resultOf(await calling, tools.find(({ name }) => name === params.name)?.isTextOnly)
  })
  return { server, connect, idle }

  async function callTool({ name, arguments: given = {} }: Params, extra: Extra) {
    const found = tools.find(tool => tool.name === name)
    if (!found) throw new BeckonError('not_found', `There is no tool ${quote(name)}; there is ${namesOf(tools)}.`)
    const input = parse(found.input, given)
    return found.call(input, await callOf(extra))
  }

  async function callOf(extra: Extra): Promise<Call> {
    const { hub, machine, repeats, closing } = door
    const client = server.getClientVersion()?.name ?? null
    const asker = await door.asker(server, extra._meta)
    const limit = door.limit(client, extra._meta?.progressToken !== undefined)
    const deadline = performance.now() + limit
    return {
      ...{ hub, asker, machine, repeats, signal: extra.signal },
      wait: async (request, atMost = limit) =>
        waitWithProgress(
          hub,
          request,
          { ...extra, closing },
          {
            hears: await door.isOwn(request, asker),
            atMost: Math.max(0, Math.min(atMost, deadline - performance.now())),
          },
        ),
      isOwn: request => door.isOwn(request, asker),
      onceSent(work) {
        const { requestId } = extra
        afterSending.set(requestId, [...(afterSending.get(requestId) ?? []), work])
        extra.signal.addEventListener('abort', () => afterSending.delete(requestId))
      },
    }
  }

  function refuse(error: unknown): Document {
    if (!(error instanceof BeckonError)) door.onFault(error)
    return errorDocument(error)
  }

  /** What counts as delivered is written first: a crash in between delivers it again. */
  async function connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport)
    transport.send = async (message, options) => {
      const sending = send(message, options)
      track(sending)
      await sending
      if (!('id' in message) || message.id === undefined || 'method' in message) return
      const works = afterSending.get(message.id) ?? []
      afterSending.delete(message.id)
      for (const work of works) track(work().catch(door.onFault))
    }
    await server.connect(transport)
  }

  /** Everything that was begun is done. */
  async function idle(): Promise<void> {
    do {
      await Promise.allSettled(underWay)
      // What was received begins, and what was returned is sent, a moment later.
      await setImmediate()
    } while (underWay.size > 0)
  }

  function track(work: Promise<unknown>) {
    const tracked = work.catch(() => {}).finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }
}

function describe({ name, title, description, input, annotations }: Tool) {
  return {
    ...{ name, title, description, inputSchema: describeInput(input), ...(annotations ? { annotations } : {}) },
    ...(name === 'permission' ? {} : { _meta: alwaysLoaded }),
  }
}

// Claude Code keeps the tools of servers back until the model searches for them: a model does not search for a person. It
// never calls permission.
const alwaysLoaded = { 'anthropic/alwaysLoad': true }

function resultOf(document: Document, isTextOnly = false): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(document) }],
    ...(isTextOnly ? {} : { structuredContent: { ...document } }),
    ...('error' in document ? { isError: true } : {}),
  }
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}

function namesOf(tools: readonly Tool[]): string {
  return tools.map(({ name }) => name).join(', ')
}

const instructions =
  'Beckon asks a person for you, and waits. Use ask for decisions that are theirs, approve before a dangerous command, need for a key or a file that you do not have, review when a phase is finished. A result with the status "pending" is not an answer: call wait with its id. One with "messages" is not an answer either: the person asks you something back before deciding, so answer with reply.'
