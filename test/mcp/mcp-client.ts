import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterEach, expect } from 'vitest'
import { launcher, type Sandbox } from '../cli/sandbox.ts'

// What a tool returned: tests look at any field of it.
type Result = Record<string, never> & { id: string; status: string; next: string }

const clients: Client[] = []
afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map(client => client.close()))
})

interface StdioOptions {
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  /** What the client calls itself. */
  name?: string
  roots?: string[]
}

/** The SDK's own client, and `beckon mcp` as a host starts it. */
export async function connectStdio({ cwd, env }: Sandbox, options: StdioOptions = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, 'mcp', ...(options.args ?? [])],
    cwd: options.cwd ?? cwd,
    env: { ...(process.env as Record<string, string>), ...(env as Record<string, string>), ...options.env },
    stderr: 'pipe',
  })
  const said: string[] = []
  transport.stderr?.on('data', chunk => said.push(String(chunk)))
  const client = await connect(transport, options)
  return { ...client, said: () => said.join(''), pid: transport.pid ?? 0 }
}

export function connectHttp(url: string, token: string) {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  return connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as Transport)
}

async function connect(transport: Transport, { name = 'test-client', roots }: StdioOptions = {}) {
  const client = new Client({ name, version: '1.0.0' }, { capabilities: roots ? { roots: {} } : {} })
  if (roots) {
    const { ListRootsRequestSchema } = await import('@modelcontextprotocol/sdk/types.js')
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map(root => ({ uri: `file://${root}` })) }))
  }
  clients.push(client)
  await client.connect(transport)
  return { client, call, refusal, raw }

  /** The document that a tool returned. */
  async function call(
    name: string,
    args: object,
    meta?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Result> {
    const { document, isError } = await raw(name, args, meta, options)
    expect(isError, JSON.stringify(document)).toBe(false)
    return document as Result
  }

  /** The error that a tool returned. */
  async function refusal(name: string, args: object) {
    const { document, isError } = await raw(name, args)
    expect(isError, JSON.stringify(document)).toBe(true)
    return document.error as { code: string; message: string; problems?: { path: string; message: string }[] }
  }

  async function raw(name: string, args: object, _meta?: Record<string, unknown>, options?: RequestOptions) {
    const params = { name, arguments: args as Record<string, unknown>, ...(_meta ? { _meta } : {}) }
    const { content, structuredContent, isError = false } = await client.callTool(params, undefined, options)
    const [{ text }] = content as [{ text: string }]
    const document: Record<string, unknown> = JSON.parse(text)
    // Claude takes its permission as text alone.
    expect(structuredContent).toEqual(name === 'permission' ? undefined : document)
    return { document, isError }
  }
}
