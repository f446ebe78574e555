import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ToolError } from '../tools/tool.ts'
import { expandEntry, type ServerEntry } from './config.ts'

// Claude Code has the same variables, in milliseconds. A call may take as long as a command.
const times = { MCP_TIMEOUT: 30_000, MCP_TOOL_TIMEOUT: 120_000 }
const maxErrors = 2_000
const maxTools = 100

export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly schema: Record<string, unknown>
  readonly readOnly: boolean
}

export interface ConnectionOptions {
  readonly name: string
  readonly entry: ServerEntry
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

type Client = InstanceType<typeof import('./sdk.ts').Client>
export type CallToolResult = Awaited<ReturnType<Client['callTool']>>

/** One MCP server. If it crashes or hangs, the call fails, and the next one starts it again; after that it stays away. */
export class McpConnection {
  readonly #options: ConnectionOptions
  #client: Client | null = null
  #pid: number | null = null
  #errors = ''
  #starts = 0
  #isStale = false
  tools: readonly OfferedTool[] = []

  constructor(options: ConnectionOptions) {
    this.#options = options
    process.once('exit', this.#kill)
  }

  /** Starts it and lists its tools. */
  async connect(signal: AbortSignal): Promise<void> {
    const { Client, ToolListChangedNotificationSchema } = await import('./sdk.ts')
    this.#starts += 1
    this.#errors = ''
    const client = new Client(
      { name: 'beckon', version: '1' },
      // What a server returns is checked by nobody but the model: its schemas are not ours to compile.
      {
        jsonSchemaValidator: {
          getValidator: () => data => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    )
    client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
      this.#isStale = true
    })
    client.onclose = () => {
      if (this.#client === client) this.#client = null
    }
    const options = { timeout: this.#time('MCP_TIMEOUT'), signal }
    try {
      await client.connect(await this.#transport(), options)
      this.#client = client
      await this.#list(client, signal)
    } catch (error) {
      this.#client = null
      await client.close().catch(() => {})
      throw new Error(this.#describe(error), { cause: error })
    }
  }

  /** Lists its tools again if it said that they have changed. */
  async refresh(signal: AbortSignal): Promise<boolean> {
    if (!this.#isStale || !this.#client) return false
    this.#isStale = false
    await this.#list(this.#client, signal).catch(() => {})
    return true
  }

  async call(
    tool: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
    onProgress: (text: string) => void,
  ): Promise<CallToolResult> {
    const client = await this.#running(signal)
    const { name } = this.#options
    const timeout = this.#time('MCP_TOOL_TIMEOUT')
    try {
      return await client.callTool({ name: tool, arguments: input }, undefined, {
        ...{ signal, timeout, resetTimeoutOnProgress: true, maxTotalTimeout: 10 * timeout },
        onprogress: ({ message }) => message && onProgress(message),
      })
    } catch (error) {
      if (signal.aborted) throw new ToolError('The user interrupted it.', 'Nobody knows how far it got.')
      if (isTimeout(error)) {
        await this.#stop()
        throw new ToolError(`The MCP server "${name}" did not answer in time, and was stopped.`, this.#next())
      }
      if (this.#client === null)
        throw new ToolError(`The MCP server "${name}" ended: ${this.#describe(error)}`, this.#next())
      throw new ToolError(
        `The MCP server "${name}" refused it: ${this.#describe(error)}`,
        'Change the input, or do it another way.',
      )
    }
  }

  /** For good. */
  async close(): Promise<void> {
    process.off('exit', this.#kill)
    await this.#stop()
  }

  async #stop(): Promise<void> {
    const client = this.#client
    this.#client = null
    await client?.close().catch(() => {})
  }

  async #running(signal: AbortSignal): Promise<Client> {
    if (this.#client) return this.#client
    const { name } = this.#options
    if (this.#starts > 1) throw new ToolError(`The MCP server "${name}" ended twice and is not started again.`, gone)
    await this.connect(signal).catch(error => {
      throw new ToolError(`The MCP server "${name}" could not be started again: ${error.message}`, gone)
    })
    if (!this.#client) throw new ToolError(`The MCP server "${name}" ended at once.`, gone)
    return this.#client
  }

  async #list(client: Client, signal: AbortSignal): Promise<void> {
    const tools: OfferedTool[] = []
    let cursor: string | undefined
    do {
      const page = await client.listTools(cursor ? { cursor } : {}, { timeout: this.#time('MCP_TIMEOUT'), signal })
      for (const { name, description = '', inputSchema, annotations } of page.tools) {
        tools.push({ name, description, schema: inputSchema, readOnly: annotations?.readOnlyHint === true })
      }
      cursor = page.nextCursor
    } while (cursor && tools.length < maxTools)
    this.tools = tools.slice(0, maxTools)
  }

  async #transport(): Promise<Transport> {
    const { StdioClientTransport, StreamableHTTPClientTransport } = await import('./sdk.ts')
    const { cwd, env } = this.#options
    const entry = expandEntry(this.#options.entry, env)
    if ('url' in entry) {
      // Its optional fields are declared in another way than those of the interface.
      return new StreamableHTTPClientTransport(new URL(entry.url), {
        requestInit: { headers: entry.headers },
      }) as Transport
    }
    const known = Object.entries({ ...env, ...entry.env }).filter(([, value]) => value !== undefined)
    const transport = new StdioClientTransport({
      ...{ command: entry.command, args: entry.args, cwd, stderr: 'pipe' },
      env: Object.fromEntries(known) as Record<string, string>,
    })
    transport.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = `${this.#errors}${chunk.toString('utf8')}`.slice(-maxErrors)
    })
    const start = transport.start.bind(transport)
    transport.start = async () => {
      await start()
      this.#pid = transport.pid
    }
    return transport
  }

  /** The error, and the last line that it wrote about itself. */
  #describe(error: unknown): string {
    const said = this.#errors.trim().split('\n').at(-1)
    const message = error instanceof Error ? error.message : String(error)
    return said ? `${message} (${said})` : message
  }

  #time(variable: keyof typeof times): number {
    return Number(this.#options.env[variable]) || times[variable]
  }

  #next(): string {
    return this.#starts > 1 ? gone : 'Nobody knows how far it got. It is started again with the next call.'
  }

  /** When our process ends, it loses its input; a server that stays is ended. */
  readonly #kill = (): void => {
    if (this.#client === null || this.#pid === null) return
    try {
      process.kill(this.#pid, 'SIGTERM')
    } catch {
      // It has already ended.
    }
  }
}

const gone = 'Do without it, and tell the user.'

function isTimeout(error: unknown): boolean {
  // MCP's own number for it.
  return (error as { code?: unknown } | null)?.code === -32_001
}
