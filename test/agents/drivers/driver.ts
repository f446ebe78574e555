import type { ScriptedReply } from '../../agent/wires/wire.ts'

/** How one agent is configured and started. The drivers have the same shape; what differs is the agent. */
export interface Driver {
  /** The model's name of a tool of the MCP server "beckon". */
  mcpTool(name: string): string
  /** The model's call that runs a shell command. */
  shellCall(command: string): NonNullable<ScriptedReply['calls']>[number]
  /** Writes what the agent would else ask a person at its first start. */
  seed(place: Place): void
  /** Writes the agent's configuration as far as there is any in `start`, and says how to start it without a terminal. */
  prepare(place: Place, start: Start): Invocation
}

/** The folders of one agent, which no other agent shares. */
export interface Place {
  home: string
  cwd: string
}

export interface Start {
  prompt: string
  /** The address of the scripted model, without /v1. */
  model: string
  mcp: McpServer | null
  /** More arguments for the agent's command line. */
  args: string[]
  /** More settings: a JSON object for Claude, opencode and Gemini, lines of TOML for Codex. */
  config: object | string | null
}

export interface McpServer {
  command: string
  args: string[]
  env: Record<string, string>
  /** After how many milliseconds the host gives up on a call; its own default if null. */
  limit: number | null
}

interface Invocation {
  args: string[]
  env: Record<string, string>
}
