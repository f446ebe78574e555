import type { Json } from '../../protocol/canonical-json.ts'
import type { Request } from '../../protocol/request.ts'
import { approve, spend } from '../approving.ts'
import type { Call } from '../journal/history.ts'
import type { CallResult, ToolContext } from '../tool-context.ts'
import { shellEnvironment } from '../tools/shell-environment.ts'
import type { ProposedAction, WorkTool } from '../tools/tool.ts'
import { type ConfiguredServer, type McpConfig, readMcpConfig } from './config.ts'
import { McpConnection } from './connection.ts'
import type { ServerDecision, ServerDecisions } from './decisions.ts'
import { mcpTool } from './tools.ts'

// Providers take 128 tools at most, and ours are among them.
const maxTools = 100

export interface McpServer {
  readonly name: string
  readonly from: 'user' | 'project'
  readonly file: string
  status: 'unknown' | 'running' | 'failed' | 'refused'
  tools: number
  /** Why it does not run. */
  why: string | null
}

/** The MCP servers of the user and of the project, from the first turn of a conversation to its end. */
export class McpServers {
  readonly #configured: readonly ConfiguredServer[]
  readonly #decisions: ServerDecisions
  readonly #connections = new Map<string, McpConnection>()
  readonly #states = new Map<string, McpServer>()
  readonly #problems: McpConfig['problems']
  #areProblemsSaid = false
  tools: readonly WorkTool[] = []

  constructor(home: string, cwd: string, decisions: ServerDecisions) {
    const { servers, problems } = readMcpConfig(home, cwd)
    this.#configured = servers
    this.#decisions = decisions
    this.#problems = problems
    for (const { name, from, file } of servers)
      this.#states.set(name, { name, from, file, status: 'unknown', tools: 0, why: null })
  }

  list(): readonly McpServer[] {
    return [...this.#states.values()]
  }

  /** Starts what may be started and does not run yet. Returns the requests about the servers that a person must see first. */
  async prepare(context: ToolContext): Promise<readonly Request[]> {
    const { signal } = context.asking
    this.#sayProblems(context)
    const allowed: ConfiguredServer[] = []
    for (const server of this.#configured) {
      if (this.#stateOf(server).status !== 'unknown') continue
      const decision = await this.#decide(context, server)
      if ('waiting' in decision) return decision.waiting
      if (decision.allowed) allowed.push(server)
      else this.#settle(context, server, 'refused', 'nobody allowed it')
    }
    await Promise.all(allowed.map(server => this.#start(context, server)))
    const refreshed = await Promise.all([...this.#connections.values()].map(one => one.refresh(signal)))
    if (allowed.length > 0 || refreshed.some(Boolean)) this.#listTools()
    return []
  }

  /** What the user decided about the project's servers. */
  decisions(): ServerDecision[] {
    const files = new Set(this.list().map(({ file }) => file))
    return this.#decisions.list().filter(({ file }) => files.has(file))
  }

  /** It is asked about again when the next conversation starts. */
  forget(decision: ServerDecision): void {
    this.#decisions.forget(decision)
  }

  close(): void {
    for (const connection of this.#connections.values()) void connection.close()
  }

  async #decide(
    context: ToolContext,
    server: ConfiguredServer,
  ): Promise<{ allowed: boolean } | { waiting: readonly Request[] }> {
    if (server.from === 'user') return { allowed: true }
    const known = this.#decisions.find(server)
    if (known) return known
    const call: Call = {
      id: `mcp-${server.name}`,
      tool: startTool,
      input: null,
      request: null,
      started: false,
      done: false,
    }
    const approval = await approve(context, call, proposalFor(server), 0)
    if (approval.status === 'waiting') return approval.result as { waiting: readonly Request[] }
    if (approval.status === 'granted') {
      // What was changed is not in the file, and would have to be asked about at every start.
      if (approval.request.outcome?.edited) return { allowed: false }
      if (await spend(context, call, approval.request)) return { allowed: false }
    }
    const allowed = approval.status === 'granted'
    // A request that was withdrawn is nobody's decision.
    const status = allowed ? 'answered' : (approval.result as CallResult).request?.status
    if (status !== 'answered' && status !== 'declined') return { allowed: false }
    this.#decisions.remember(server, allowed, context.asking.now())
    return { allowed }
  }

  async #start(context: ToolContext, server: ConfiguredServer): Promise<void> {
    const { name, entry, cwd } = server
    const connection = new McpConnection({ name, entry, cwd, env: shellEnvironment(context.workspace.env) })
    try {
      await connection.connect(context.asking.signal)
      this.#connections.set(name, connection)
      this.#settle(context, server, 'running', null, connection.tools.length)
    } catch (error) {
      // An interrupted start is tried again at the next turn.
      if (!context.asking.signal.aborted) this.#settle(context, server, 'failed', (error as Error).message)
    }
  }

  #settle(
    context: ToolContext,
    server: ConfiguredServer,
    status: McpServer['status'],
    why: string | null,
    tools = 0,
  ): void {
    const state = this.#stateOf(server)
    Object.assign(state, { status, why, tools })
    context.emit({ type: 'server', name: server.name, status: status as 'running', tools, why })
  }

  #sayProblems(context: ToolContext): void {
    if (this.#areProblemsSaid) return
    this.#areProblemsSaid = true
    for (const { name, why } of this.#problems) context.emit({ type: 'server', name, status: 'failed', tools: 0, why })
  }

  #listTools(): void {
    const tools = new Map<string, WorkTool>()
    for (const server of this.#configured) {
      const connection = this.#connections.get(server.name)
      if (!connection) continue
      for (const offered of connection.tools) {
        const tool = mcpTool(server, connection, offered) as WorkTool
        // Two long names may be cut to the same.
        if (!tools.has(tool.name) && tools.size < maxTools) tools.set(tool.name, tool)
      }
    }
    this.tools = [...tools.values()]
  }

  #stateOf({ name }: ConfiguredServer): McpServer {
    const state = this.#states.get(name)
    if (!state) throw new Error(`There is no MCP server ${name}.`)
    return state
  }
}

const startTool = 'StartMcpServer'

/** Exactly what would be started or reached, as the project's file says it. */
function proposalFor({ name, entry, file, cwd }: ConfiguredServer): ProposedAction {
  const what = 'url' in entry ? 'reaches a server' : 'runs a program with your rights'
  return {
    action: { tool: startTool, input: { name, ...entry } as Json, cwd },
    verdict: 'ask',
    severity: 'high',
    reasons: [
      {
        rule: 'agent.mcp-server',
        message: `${file} of this project ${what}; a yes counts until the entry changes`,
        span: [0, 0],
      },
    ],
    safer: null,
  }
}
