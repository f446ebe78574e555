import { HttpFault } from '../errors.ts'
import { apiHeaders, bodyOf, type Handlers, type RouteContext } from '../route-context.ts'

/** Agents ask over MCP. Only with what lets them ask and nothing else: a model reads what they are given. */
export function mcpHandlers({ mcp, limitRate }: RouteContext): Pick<Handlers, 'mcp'> {
  return {
    async mcp(c) {
      const caller = c.get('caller')
      const { kind, scope } = caller.grant
      if (kind !== 'token' || scope !== 'ask') {
        throw new HttpFault(403, 'not_allowed', `MCP needs a token with the scope ask; this one's is ${scope}.`)
      }
      if (!mcp) throw new HttpFault(404, 'not_found', 'This server does not speak MCP.')
      limitRate(caller, Number(c.req.header('content-length') ?? 0))
      const body = await bodyOf(c)
      const answer = await mcp.answer(caller, { request: c.req.raw, body, response: c.env?.outgoing })
      for (const [name, value] of Object.entries(apiHeaders)) answer.headers.set(name, value)
      return answer
    },
  }
}
