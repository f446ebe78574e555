import { randomBytes } from 'node:crypto'
import { type Command, Option } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Ending } from '../../supervisor/context.ts'
import type { RunSettings } from '../../supervisor/settings.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import { interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { agentEnvironment } from '../run/agent-environment.ts'
import { supervisorContext } from '../run/context.ts'
import { recoverRuns } from '../run/recover.ts'
import { createTerminalFrontend } from '../run/terminal-frontend.ts'
import { withFileSealer } from '../with-hub.ts'

interface RunOptions {
  name?: string
  pause: RunSettings['pause']
  reply: RunSettings['reply']
  secrets: RunSettings['secrets']
  stdin?: RunSettings['stdin']
  format: RunSettings['format']
  nonce?: boolean
  pty?: boolean
  timeout: string
  sleepAfter?: string
  resumeCommand?: string
  human?: 'fail' | 'park' | boolean
  printPrompt?: boolean
  recover?: boolean
}

export function registerRun(program: Command, context: Context): void {
  program
    .command('run')
    .summary('Run an agent, and answer it when it asks')
    .description('Runs an agent, stops it when it prints a question, and writes the answer to its stdin.')
    .usage('[options] -- <command> [args...]')
    .argument('[command...]', 'the agent and its arguments')
    .option('--name <name>', 'the name of the run (default: its command)')
    .option('--pty', 'run the agent on a pseudo-terminal; its stdout and stderr become one stream')
    .addOption(choice('--pause <how>', 'whether to stop the agent while it waits', ['stop', 'none']))
    .addOption(choice('--reply <form>', 'the form of an answer on stdin', ['raw', 'json']))
    .addOption(
      choice('--secrets <how>', 'whether the agent gets the value of a secret, or a reference to it', ['value', 'ref']),
    )
    .addOption(
      new Option(
        '--stdin <how>',
        'what the agent reads besides answers: your input (open), also its end (inherit), or nothing',
      ).choices(['open', 'inherit', 'none']),
    )
    .addOption(
      choice('--format <format>', 'what the agent prints: text, or the JSON events of Claude Code or Codex', [
        'text',
        'claude',
        'codex',
      ]),
    )
    .option('--nonce', 'accept only blocks with the nonce of the run, which the agent gets as BECKON_NONCE')
    .option('--timeout <duration>', 'the deadline for questions without one of their own, or none', '1h')
    .option(
      '--sleep-after <duration>',
      'end the agent when it waits longer than this, and start it again when it is answered',
    )
    .option('--resume-command <template>', 'how to start it again, with {session}, {answer} and {requestId}')
    .addOption(
      new Option(
        '--no-human <what>',
        'off a terminal, when it asks: end the run with exit code 69, or let it wait',
      ).choices(['fail', 'park']),
    )
    .option('--print-prompt', 'only print the text that teaches an agent to ask')
    .option('--recover', 'only take over the runs of this machine that have lost their supervisor')
    .addHelpText('after', help)
    .action(async (command: string[], options: RunOptions) => {
      context.exitCode = await act(context, command, options)
    })
}

function choice(flags: string, description: string, choices: [string, ...string[]]): Option {
  return new Option(flags, description).choices(choices).default(choices[0])
}

async function act(context: Context, command: string[], options: RunOptions): Promise<number> {
  if (options.printPrompt) return printPrompt(context)
  // Before anything else is allocated.
  const { keepHeapSmall } = await import('../../supervisor/small-heap.ts')
  keepHeapSmall({ compiles: true })
  if (options.recover) return recoverRuns(context)
  if (command.length === 0) throw invalid([{ path: 'command', message: 'is missing; write: beckon run -- COMMAND' }])
  const settings = await readSettings(context, command, options)
  const interrupted = interruption({ kept: true })
  const { runAgent } = await import('../../supervisor/run-agent.ts')
  return withFileSealer(
    context,
    async (hub, sealer) => {
      const supervisor = supervisorContext(context, hub, sealer)
      const frontend = createTerminalFrontend(context, hub, { settings, interrupted, options })
      const env = agentEnvironment(context, supervisor.home, settings)
      const start = { command, name: options.name, cwd: context.cwd, env, settings }
      try {
        const ending = await runAgent(supervisor, start, frontend)
        // A person who answers on another machine cannot wake it: the recovery process here does.
        if (ending.how === 'asleep' && supervisor.shipsLogs) {
          const { startRecovery } = await import('../../supervisor/recovery/start-recovery.ts')
          await startRecovery(context.env)
        }
        return frontend.isNobodyHere() ? exitCodes.nobody : await exitCodeOf(context, hub, frontend.runId(), ending)
      } finally {
        frontend.close()
      }
    },
    { agent: options.name ?? command[0] ?? 'run' },
  ).finally(interrupted.release)
}

async function printPrompt({ stdout, env }: Context): Promise<number> {
  const { default: prompt } = await import('../../blocks/prompt.md')
  const { promptWith } = await import('../../blocks/prompt.ts')
  await print(stdout, promptWith(prompt, env.BECKON_NONCE || null))
  return exitCodes.fine
}

async function readSettings({ stderr }: Context, command: string[], options: RunOptions): Promise<RunSettings> {
  const { readTemplate, usualTemplate } = await import('../../supervisor/sleep/resume-command.ts')
  const { pause, reply, secrets, stdin, format, nonce, timeout, sleepAfter, resumeCommand } = options
  return {
    pause,
    reply,
    secrets,
    // Agents that print events wait in vain for a prompt on their stdin.
    stdin: stdin ?? (format === 'text' ? 'open' : 'none'),
    format,
    pty: options.pty ? { columns: stderr.columns || 80, rows: stderr.rows || 24 } : null,
    nonce: nonce ? randomBytes(9).toString('base64url') : null,
    timeout: timeout === 'none' ? null : await readDuration(timeout, 'timeout', { unit: true }),
    sleepAfter: sleepAfter === undefined ? null : await readDuration(sleepAfter, 'sleep-after'),
    resume: resumeCommand === undefined ? usualTemplate(format, command) : readTemplate(resumeCommand),
  }
}

async function exitCodeOf({ stderr }: Context, hub: HubApi, run: string | null, ending: Ending): Promise<number> {
  switch (ending.how) {
    case 'ended':
      // The agent may call it a success, but a question of it went unanswered.
      return ending.code === exitCodes.fine && ending.withdrawn?.length ? exitCodes.cancelled : ending.code
    case 'asleep': {
      const open = run === null ? [] : (await hub.list({ run })).requests
      const answers = open.map(({ id }) => `beckon answer ${id}`)
      const until =
        answers.length > 0 ? ` until it is answered: ${answers.join(', ')}` : '; it was answered, and is woken'
      stderr.write(`beckon: ${run} sleeps${until}\n`)
      return exitCodes.pending
    }
    case 'left':
    case 'waits':
      stderr.write(`beckon: ${run} is looked after by another process now.\n`)
      return exitCodes.invalid
  }
}

const help = `
You see everything that the agent prints, unchanged. When it prints a block that asks ("beckon run --print-prompt" teaches
it how), Beckon stores the request and stops every process of the run. You answer right here, with "beckon inbox", with
"beckon answer" or in the browser. Beckon writes the answer to the agent's stdin and lets it continue. An agent may also
ask with AskUserQuestion or "beckon ask", which are on its PATH; then only that command waits.

Examples:
  beckon run -- python3 agent.py
  beckon run --name nightly --timeout none --sleep-after 10m -- ./import.sh
  beckon run --format claude -- claude -p --output-format stream-json --verbose "Tidy up the tests"
  beckon run --print-prompt >>AGENTS.md

The exit code is the agent's own, 75 when the run has gone to sleep, or 74 when the hub cannot be reached or written. It
is 13 when the agent ended with 0 while one of its requests was open, and the request was withdrawn.`
