import { type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import type { HookOptions } from '../hook/run-hook.ts'

export function registerHook(program: Command, context: Context): void {
  program
    .command('hook')
    .summary("Answer a hook of an agent's host")
    .description(
      "Reads what an agent's host tells its hooks from stdin, and says whether the call may happen. Hosts start it; `beckon setup` installs it.",
    )
    .usage('<claude|codex|gemini|opencode> [options]')
    .argument('<host>', 'whose hook it is: claude, codex, gemini or opencode')
    .option('--wait <duration>', "how long to wait for a person, less than the hook's own time limit")
    .option('--review', 'claude: when the agent stops, let a person review its work')
    .option('--resume', 'claude: continue a deferred session once its request is answered')
    .addOption(new Option('--confirm <code>', 'exit with this code after an answer, instead of 0').hideHelp())
    .addOption(new Option('--continue <run>', 'what a sleeping run is woken with').hideHelp())
    .addHelpText('after', help)
    .action(async (host: string, options: HookOptions & { continue?: string }) => {
      if (options.continue !== undefined) {
        const { continueSession } = await import('../hook/continue-session.ts')
        context.exitCode = await continueSession(context, options.continue)
        return
      }
      const { runHook } = await import('../hook/run-hook.ts')
      context.exitCode = await runHook(context, host, options)
    })
}

const help = `
Examples:
  beckon hook claude --wait 570s
  echo '{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"/tmp","tool_name":"Bash","tool_input":{"command":"ls"}}' |
    beckon hook codex

Exit codes:
  0   the answer is on stdout; without output, the host decides
  2   blocked: stderr says why. Whatever goes wrong ends like this, too`
