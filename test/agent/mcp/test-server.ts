import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import * as z from 'zod'

// The smallest picture that is one.
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A server with one tool for each thing that servers do, good and bad. */
export function createTestServer(): McpServer {
  const server = new McpServer({ name: 'test', version: '1' })
  const text = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  let count = 0
  server.registerTool(
    'add',
    { description: 'Adds', inputSchema: { a: z.number(), b: z.number() } },
    async ({ a, b }) => {
      count += 1
      return text(`${a} + ${b} = ${a + b} (call ${count})`)
    },
  )
  server.registerTool(
    'look.up',
    { description: 'Looks up', inputSchema: { word: z.string() }, annotations: { readOnlyHint: true } },
    async ({ word }) => text(`${word} means something`),
  )
  server.registerTool('long', {}, async () => text('x'.repeat(30_000)))
  server.registerTool('picture', {}, async () => ({
    content: [{ type: 'image' as const, data: pixel, mimeType: 'image/png' }],
  }))
  server.registerTool('refuse', {}, async () => ({ ...text('not today'), isError: true }))
  server.registerTool('environment', {}, async () => text(Object.keys(process.env).sort().join(' ')))
  server.registerTool('crash', {}, async () => process.exit(3))
  server.registerTool('hang', {}, () => new Promise(() => {}))
  return server
}
