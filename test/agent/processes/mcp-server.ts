import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createTestServer } from '../mcp/test-server.ts'

await createTestServer().connect(new StdioServerTransport())
