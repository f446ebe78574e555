import type { Started } from '../agents/agent.ts'
import { withJsonRpc } from './json-rpc.ts'

/** What an MCP server said of itself. */
export interface ServerProbe {
  /** The hub that it says it asks through; null where it does not say. */
  hub: string | null
  tools: string[]
}

/** Starts an MCP server as a host would, and asks what it can do. Nothing is asked of a person. */
export function probeServer({ command, args, env }: Started, cwd: string): Promise<ServerProbe> {
  return withJsonRpc({ command, args, env, cwd, limit: 30_000 }, async rpc => {
    await rpc.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'beckon-doctor', version: '1' },
    })
    rpc.notify('notifications/initialized')
    const { tools = [] } = (await rpc.request('tools/list', {})) as { tools?: { name: string }[] }
    return { hub: hubIn(rpc.stderr()), tools: tools.map(({ name }) => name) }
  })
}

function hubIn(stderr: string): string | null {
  return /^beckon mcp: asks through (.+)$/m.exec(stderr)?.[1] ?? null
}
