import { type Command, Option } from 'commander'
import type { AgentCommandOptions } from '../agent/options.ts'
import type { Context } from '../context.ts'

// What the agent stands on is loaded when it is used: every other command starts without it.

export function registerAgent(program: Command, context: Context): void {
  const agent = program
    .command('agent')
    .summary('Talk with the built-in agent, or give it a task')
    .description(
      'Starts the built-in agent in this directory. It asks you before dangerous commands and when it needs a decision.',
    )
    .argument('[task]', 'what to do first')
    .usage('[options] [task] | run [options] <task>')
    .addHelpText('after', help)
    .action(async (task: string | undefined, options: AgentCommandOptions) => {
      if (options.resume) {
        const { resume } = await import('../agent/resume.ts')
        context.exitCode = await resume(context, task, options)
        return
      }
      const { converse } = await import('../agent/converse.ts')
      context.exitCode = await converse(context, 'agent', options, task)
    })
  withStrict(shared(agent)).option('--resume [id]', 'pick a conversation of any directory and continue it there')
  withStrict(
    shared(
      agent
        .command('run')
        .summary('Work on one task')
        .description('Works on one task until it is done.')
        .argument('[task]', 'what to do'),
    ),
  )
    .option('--json', 'print every event as a line of JSON')
    .addOption(
      new Option('--no-human <what>', 'when nobody can be asked: fail, or wait and exit 75').choices(['fail', 'park']),
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
    .summary('Talk with a model, without tools')
    .description('Starts a conversation without tools: the model cannot read, write or run anything.')
    .addHelpText('after', '\nExamples:\n  beckon chat\n  beckon chat --model ollama/llama3')
    .action(async (options: AgentCommandOptions) => {
      const { converse } = await import('../agent/converse.ts')
      context.exitCode = await converse(context, 'chat', options)
    })
  shared(chat)
}

export function registerReset(program: Command, context: Context): void {
  program
    .command('reset')
    .summary("End the agent's conversation in this directory")
    .description(
      'Ends the conversations in this directory, so that the next one starts fresh. The old ones stay on disk.',
    )
    .addHelpText('after', '\nExamples:\n  beckon reset')
    .action(async () => {
      const { reset } = await import('../agent/reset.ts')
      context.exitCode = await reset(context)
    })
}

function shared(command: Command): Command {
  return command
    .option('--continue', 'continue the last conversation in this directory, with its open question')
    .addOption(new Option('--conversation <id>', 'the conversation to continue').hideHelp())
    .option('--model <provider/name>', 'the model: anthropic/…, openai/…, google/…, openrouter/…, ollama/…, vllm/…')
    .option('--max-turns <n>', 'the most calls of the model in one turn', '20')
    .option('--context-tokens <n>', 'summarise the conversation when it is longer than this', '100000')
    .option('--plain', 'plain lines, for screen readers and dumb terminals')
    .option('--debug <file>', 'write every request to the model, its reply and every event to a file, without secrets')
    .option('--first-tool', 'the first reply of a turn must use a tool')
}

function withStrict(command: Command): Command {
  return command
    .option('--plan', 'change nothing before you have approved a plan')
    .option('--strict', 'ask about every recursive or forced delete (default)')
    .option('--no-strict', 'do not ask about deleting what a build makes again, or what is committed')
}

const help = `
While it works, Ctrl-C stops the turn and keeps the conversation. You see dangerous commands before they run.
Answer its questions here, with "beckon inbox", with "beckon answer" or in the browser.

Examples:
  beckon agent
  beckon agent "fix the failing test"
  beckon agent --continue
  beckon agent --resume
  beckon agent run "fix the failing test"

In the conversation:
  /help lists the commands: /model, /context, /compact, /rewind, /reset, /show and others
  Enter sends, Alt-Enter or Ctrl-J starts a new line, up and down recall earlier input

The keys of the models come from the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY;
BECKON_MODEL names the default model; BECKON_MODEL_URL is the address for compatible/….`

const runHelp = `
Exit codes: 0 done · 75 a person must answer first: the ticket is on stdout, and --continue resumes afterwards ·
69 nobody can be asked (--no-human fail) · 74 the hub cannot be reached or written · 1 failed.

Examples:
  beckon agent run "fix the failing test"
  beckon agent run --json "update the changelog" | jq
  beckon agent run --continue`
