import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { HubApi } from '../../protocol/index.ts'
import type { SignedInCaller } from '../access/callers.ts'
import { HttpFault } from '../errors.ts'

/** Answers one MCP call in the name of a caller. The part of Beckon that does is given to the server. */
export type AnswerMcp = (call: {
  request: globalThis.Request
  body: unknown
  hub: HubApi
  gone: AbortSignal
  closing: AbortSignal
  onFault(error: unknown): void
}) => Promise<Response>

export interface McpCalls {
  answer(caller: SignedInCaller, call: McpCall): Promise<Response>
  /** Ends the calls of a token that was revoked. */
  end(caller: SignedInCaller): void
  /** Sends waiting callers away with their tickets. */
  close(): void
}

interface McpCall {
  request: globalThis.Request
  body: unknown
  /** The connection that it came on. */
  response: ServerResponse | undefined
}

const mostOpen = 1_000

/** The MCP calls under way: each may wait for a person. */
export function createMcpCalls(answer: AnswerMcp, onFault: (error: unknown) => void): McpCalls {
  const closing = new AbortController()
  const open = new Map<AbortController, SignedInCaller>()
  // As many calls as there are listen to it.
  EventEmitter.setMaxListeners(0, closing.signal)
  return {
    async answer(caller, { request, body, response }) {
      if (caller.open >= mostOpen) {
        throw new HttpFault(429, 'too_many', `This token has ${caller.open} calls open already.`)
      }
      const gone = new AbortController()
      begin(gone, caller)
      response?.once('close', () => leave(gone, caller))
      try {
        return await answer({ request, body, hub: caller.hub, gone: gone.signal, closing: closing.signal, onFault })
      } catch (error) {
        leave(gone, caller)
        throw error
      }
    },
    end(caller) {
      for (const [gone, other] of open) if (other === caller) gone.abort()
    },
    close: () => closing.abort(),
  }

  function begin(gone: AbortController, caller: SignedInCaller) {
    open.set(gone, caller)
    caller.open += 1
  }

  function leave(gone: AbortController, caller: SignedInCaller) {
    if (!open.delete(gone)) return
    caller.open -= 1
    gone.abort()
  }
}
