import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'

interface McpOptions {
  wait?: string
  permissionHost?: boolean
}

export function registerMcp(program: Command, context: Context): void {
  program
    .command('mcp')
    .summary('Let an agent ask over MCP (stdio)')
    .description(
      'An MCP server on stdin and stdout: its tools ask a person and wait. An agent starts it; see beckon setup.',
    )
    .option('--wait <duration>', 'how long a call may wait before it returns a ticket (default: by the client)')
    .option('--permission-host', "offer the tool permission, for Claude's --permission-prompt-tool")
    .addHelpText('after', help)
    .action(async ({ wait, permissionHost = false }: McpOptions) => {
      const atMost = wait === undefined ? null : await readDuration(wait, 'wait', { zero: true })
      // The SDK takes time to load: every other command starts without it.
      const { serveMcp } = await import('../mcp/serve-mcp.ts')
      context.exitCode = await serveMcp(context, { wait: atMost, permissionHost })
    })
}

const help = `
It uses the hub that the environment names (BECKON_URL, BECKON_DB or BECKON_HOME) and says on stderr which one. Some agents
start it without your environment: name the hub in their configuration.

Without --wait, a call returns its ticket before the client would cut it off: by MCP_TOOL_TIMEOUT (milliseconds), or by
what is known about the client; for an unknown client after 45s.

Examples:
  claude mcp add beckon -- beckon mcp
  codex mcp add beckon --env BECKON_HOME=$HOME/.local/share/beckon -- beckon mcp
  claude -p "…" --permission-prompt-tool mcp__beckon__permission      with beckon mcp --permission-host

Exit codes:
  0   the client has closed the connection
  1   bad input
  74  the hub cannot be reached or written`
