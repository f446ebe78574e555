import type { McpServer } from '../../agent/mcp/servers.ts'
import { harmlessTitle } from '../../text/harmless.ts'

/** One line about an MCP server. */
export function describeServer({
  name,
  status,
  tools,
  why,
}: Pick<McpServer, 'name' | 'status' | 'tools' | 'why'>): string {
  const server = `MCP server "${harmlessTitle(name)}"`
  const because = why ? `: ${harmlessTitle(why)}` : ''
  switch (status) {
    case 'running':
      return `${server} has ${tools} ${tools === 1 ? 'tool' : 'tools'}.`
    case 'failed':
      return `${server} did not start${because}.`
    case 'refused':
      return `${server} was not started${because}.`
    case 'unknown':
      return `${server} starts with your next message.`
  }
}
