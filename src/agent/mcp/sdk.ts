// All of the MCP SDK that the agent uses. The build makes one file of it, which is loaded when there is a server.
export { Client } from '@modelcontextprotocol/sdk/client/index.js'
export { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
export { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
