import { type Command, Option } from 'commander'
import type { AgentCommandOptions } from '../agent/options.ts'
import type { Context } from '../context.ts'

// What the agent stands on is loaded when it is used: every other command starts without it.

export function registerAgent(program: Command, context: Context): void {
  const agent = program
    .command('agent')
    .summary('talk with the built-in agent, or give it a task')
    .description('The built-in agent: it works in this directory, asks you when it should, and goes on where it was.')
    .usage('[options] | run [options] <task>')
    .addHelpText('after', help)
    .action(async (options: AgentCommandOptions) => {
      const { converse } = await import('../agent/converse.ts')
      context.exitCode = await converse(context, 'agent', options)
    })
  shared(agent)
  shared(agent.command('run').description('Works on one task until it is done.').argument('[task]', 'what to do'))
    .option('--json', 'print every event as a line of JSON')
    .addOption(
      new Option('--no-human <what>', 'where nobody can be asked: fail, or park and exit 75').choices(['fail', 'park']),
    )
    .addHelpText('after', runHelp)
    .action(async (task: string | undefined, _: unknown, command: Command) => {
      const { runTask } = await import('../agent/run-task.ts')
      context.exitCode = await runTask(context, task, command.optsWithGlobals())
    })
}

export function registerChat(program: Command, context: Context): void {
  const chat = program
    .command('chat')
    .summary('talk with a model, without tools')
    .description('A conversation without tools: nothing is read, written or run.')
    .action(async (options: AgentCommandOptions) => {
      const { converse } = await import('../agent/converse.ts')
      context.exitCode = await converse(context, 'chat', options)
    })
  shared(chat)
}

export function registerReset(program: Command, context: Context): void {
  program
    .command('reset')
    .summary("end the agent's conversation of this directory")
    .description(
      'Ends the conversations of this directory, so that the next one starts anew. What was said is kept on the disk.',
    )
    .action(async () => {
      const { reset } = await import('../agent/reset.ts')
      context.exitCode = await reset(context)
    })
}

function shared(command: Command): Command {
  return command
    .option('--continue', 'go on with the last conversation of this directory, an open question included')
    .addOption(new Option('--conversation <id>', 'the conversation to continue').hideHelp())
    .option('--model <provider/name>', 'which model: anthropic/…, openai/…, google/…, openrouter/…, ollama/…, vllm/…')
    .option('--max-turns <n>', 'how often the model is called in one turn, at most', '20')
    .option('--context-tokens <n>', 'how much of the conversation the model sees before it is summarised', '100000')
    .option('--plain', 'lines instead of frames, for screen readers and dumb terminals')
    .option('--first-tool', 'the first reply of a turn must use a tool')
}

const help = `
While it works, Ctrl-C stops the turn and keeps the conversation. Dangerous commands are shown to you before they run.
Questions can be answered here, with beckon inbox, beckon answer, or any other way.

In the conversation:
  /help  /status  /compact  /reset  /show (the whole last output)  /exit
  Enter sends, Alt-Enter or Ctrl-J writes a line break, up and down recall what you wrote

Keys of the models come from the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY;
BECKON_MODEL names the usual model; BECKON_MODEL_URL is the address for compatible/….`

const runHelp = `
Exit codes: 0 done · 75 a person has to answer first: the ticket is on stdout, and --continue goes on afterwards ·
69 nobody can be asked, with --no-human fail · 1 failed.

Examples:
  beckon agent run "fix the failing test"
  beckon agent run --json "update the changelog" | jq
  beckon agent run --continue`
