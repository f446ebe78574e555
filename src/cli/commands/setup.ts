import type { Command } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import type { Context } from '../context.ts'
import type { SetUpOptions } from '../setup/set-up.ts'

export function registerSetup(program: Command, context: Context): void {
  program
    .command('setup')
    .summary('Connect a coding agent')
    .description(
      'Connects an agent to this hub: shows what it will write into its configuration, asks, and writes it. Without a name, lists the agents on this machine and what is connected.',
    )
    .usage('[claude|codex|opencode|gemini] [options]')
    .argument('[agent]', 'claude, codex, opencode or gemini')
    .option('--project', 'for this project only, instead of everywhere')
    .option('--undo', 'remove exactly what was written')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('-y, --yes', 'write without asking; needed where there is no terminal')
    .option(
      '--no-hooks',
      "leave out the hooks (opencode: the plugin), which bring the agent's permissions to the inbox",
    )
    .option('--no-mcp', 'leave out the MCP server, with which the agent asks')
    .option('--resume', 'claude: continue a deferred session once its request is answered')
    .option('--review', 'claude: when the agent stops, let a person review its work')
    .option('--json', 'print { "agent", "version", "status", "files", "notes" }, or { "agents": […] }')
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: SetUpOptions) => {
      context.exitCode = await setup(context, name, options)
    })
}

async function setup(context: Context, name: string | undefined, options: SetUpOptions): Promise<number> {
  if (name === undefined) {
    const { undo, project, dryRun, yes, resume, review, hooks, mcp } = options
    if (undo || project || dryRun || yes || resume || review || !hooks || !mcp) {
      const example = `beckon setup claude${undo ? ' --undo' : ''}`
      throw invalid([{ path: 'agent', message: `is missing: claude, codex, opencode or gemini, as in "${example}"` }])
    }
    const { listAgents } = await import('../setup/list-agents.ts')
    return listAgents(context, options.json ?? false)
  }
  const { agentNamed } = await import('../../setup/agents/index.ts')
  const agent = agentNamed(name)
  if (!agent) throw invalid([{ path: 'agent', message: `must be claude, codex, opencode or gemini, not "${name}"` }])
  const { setUp } = await import('../setup/set-up.ts')
  return setUp(context, agent, options)
}

const help = `
What it writes names this Beckon and this hub (BECKON_HOME, or BECKON_URL with a token that can only ask). A second run says
that everything is set up, or updates what it wrote. --undo leaves every file as it was, and touches nothing that was
changed since. "beckon doctor" checks that a connected agent reaches this hub.

Examples:
  beckon setup
  beckon setup claude
  beckon setup codex --project --dry-run
  beckon setup claude --undo`
