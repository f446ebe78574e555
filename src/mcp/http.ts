import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { HubApi } from '../protocol/hub.ts'
import { remoteAsker } from './asker.ts'
import { cautiousLimit } from './host-limits.ts'
import { createRepeats, type Repeats } from './repeats.ts'
import { createMcpServer } from './server.ts'
import { tools } from './tools/index.ts'

/** One POST of a client. */
export interface HttpCall {
  readonly request: globalThis.Request
  /** What was sent, read and parsed. */
  readonly body: unknown
  /** The hub with the rights of the caller, to whom the requests of others do not exist. */
  readonly hub: HubApi
  /** The caller has gone, or may not call any more. */
  readonly gone: AbortSignal
  /** The server ends: calls that wait return their tickets. */
  readonly closing: AbortSignal
  onFault(error: unknown): void
}

/** Answers MCP calls over HTTP without sessions: each call has a server of its own. */
export function createHttpDoor(version: string): (call: HttpCall) => Promise<Response> {
  // The hub is the same object for every call of one token.
  const repeats = new WeakMap<HubApi, Repeats>()
  return async ({ request, body, hub, gone, closing, onFault }) => {
    const { server, connect } = createMcpServer({
      ...{ hub, version, tools, closing, onFault },
      // No path of this machine is opened for somebody on another one.
      machine: null,
      repeats: repeatsOf(hub),
      asker: (_, meta) => remoteAsker(meta),
      limit: () => cautiousLimit,
      isOwn: async () => true,
    })
    const transport = new WebStandardStreamableHTTPServerTransport({})
    await connect(transport as Parameters<typeof connect>[0])
    gone.addEventListener('abort', () => void server.close())
    return transport.handleRequest(request, { parsedBody: body })
  }

  function repeatsOf(hub: HubApi): Repeats {
    const known = repeats.get(hub) ?? createRepeats()
    repeats.set(hub, known)
    return known
  }
}
