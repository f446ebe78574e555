import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, Option } from 'commander'
import { invalid } from '../protocol/errors.ts'
import type { Request } from '../protocol/request.ts'
import type { Keyboard } from '../supervisor/supervise.ts'
import { harmlessTitle } from '../terminal/harmless.ts'
import { agentContext } from './agent-context.ts'
import { askHere } from './ask-here.ts'
import type { Context } from './context.ts'
import { readDuration } from './durations.ts'
import { exitCodes } from './exit-codes.ts'
import { print } from './print.ts'
import { interruption } from './signals.ts'
import { withHub } from './with-hub.ts'
import { describeOutcome } from './wording.ts'

interface RunOptions {
  name?: string
  pause: 'stop' | 'none'
  reply: 'raw' | 'json'
  secrets: 'value' | 'ref'
  stdin: 'open' | 'inherit' | 'none'
  timeout: string
  printPrompt?: boolean
}

export function registerRun(program: Command, context: Context): void {
  program
    .command('run')
    .summary('run an agent, and answer it when it asks')
    .description('Runs an agent, stops it when it prints a question, and gives it the answer on its stdin.')
    .usage('[options] -- <command> [args...]')
    .argument('[command...]', 'the agent and its arguments')
    .option('--name <name>', 'what the run is called; its command unless given')
    .addOption(
      new Option('--pause <how>', 'whether to stop the agent while it waits').choices(['stop', 'none']).default('stop'),
    )
    .addOption(new Option('--reply <form>', 'how an answer is written').choices(['raw', 'json']).default('raw'))
    .addOption(
      new Option('--secrets <how>', 'whether the agent gets a secret itself, or a reference to it')
        .choices(['value', 'ref'])
        .default('value'),
    )
    .addOption(
      new Option('--stdin <how>', 'what the agent reads besides answers: what is typed, its end too, or nothing')
        .choices(['open', 'inherit', 'none'])
        .default('open'),
    )
    .option('--timeout <duration>', 'the deadline of a question that names none, or none', '1h')
    .option('--print-prompt', 'print the text that teaches an agent to ask, and do nothing else')
    .addHelpText('after', help)
    .action(async (command: string[], options: RunOptions) => {
      context.exitCode = await run(context, command, options)
    })
}

async function run(context: Context, command: string[], options: RunOptions): Promise<number> {
  if (options.printPrompt) {
    const { default: prompt } = await import('../blocks/prompt.md')
    await print(context.stdout, prompt)
    return exitCodes.fine
  }
  if (command.length === 0) throw invalid([{ path: 'command', message: 'is missing; write: beckon run -- COMMAND' }])
  const timeout = options.timeout === 'none' ? null : await readDuration(options.timeout, 'timeout')
  const { superviseRun } = await import('../supervisor/supervise.ts')
  const { homeOf } = await import('../open-hub.ts')
  const home = homeOf(context.env)
  const interrupted = interruption()
  const isPersonHere = context.isTerminal && agentContext(context).sign === null
  let prompts: Promise<unknown> = Promise.resolve()
  return withHub(
    context,
    async hub => {
      let keyboard: Keyboard | null = null
      const typing = typedTo(context, () => keyboard, options.stdin)
      return superviseRun({
        ...options,
        hub,
        command,
        name: options.name,
        cwd: context.cwd,
        env: agentEnvironment(context, home),
        home,
        holder: holderProgram(),
        timeout,
        onOutput: (stream, bytes) => (stream === 'out' ? context.stdout : context.stderr).write(bytes),
        onStarted: (_, agent) => {
          keyboard = agent
          if (options.stdin !== 'none') typing.start()
        },
        announce,
        // What it says may quote the agent.
        say: text => context.stderr.write(`beckon: ${harmlessTitle(text)}\n`),
        signal: interrupted.signal,
      }).finally(typing.stop)

      /** One prompt after the other; while one is there, what is typed is for it. */
      function announce(request: Request, settled: AbortSignal) {
        if (!isPersonHere) {
          context.stderr.write(`beckon: the agent asks; it is answered with: beckon answer ${request.id}\n`)
          return
        }
        prompts = prompts.then(() => (settled.aborted ? null : promptFor(request, settled)))
      }

      async function promptFor(request: Request, settled: AbortSignal) {
        typing.stop()
        const signal = AbortSignal.any([settled, interrupted.signal])
        const settlement = await askHere(context, hub, request, { signal })
        if (settlement && !settlement.won) context.stderr.write(`${describeOutcome(settlement.request)}\n`)
        if (!settlement && !settled.aborted)
          context.stderr.write(`beckon: it stays open: beckon answer ${request.id}\n`)
        if (options.stdin !== 'none') typing.start()
      }
    },
    { agent: options.name ?? command[0] ?? 'run' },
  ).finally(interrupted.release)
}

/** What a person types goes to the agent; its end only where that was asked for. */
function typedTo({ stdin }: Context, keyboard: () => Keyboard | null, how: RunOptions['stdin']) {
  const onData = (bytes: Buffer) => keyboard()?.type(bytes)
  const onEnd = () => how === 'inherit' && keyboard()?.end()
  return {
    start() {
      stdin.on('data', onData)
      stdin.on('end', onEnd)
      stdin.resume()
    },
    stop() {
      stdin.off('data', onData)
      stdin.off('end', onEnd)
      stdin.pause()
    },
  }
}

// They answer, or unlock what was answered: not for an agent.
const forPeople = ['BECKON_TOKEN', 'BECKON_KEY', 'BECKON_ANSWERS']

function agentEnvironment({ env }: Context, home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !forPeople.includes(name))
  return { ...Object.fromEntries(kept), BECKON_HOME: home, PATH: [doorsIn(home), env.PATH].filter(Boolean).join(':') }
}

/** A folder with the commands that an agent asks by, on the Node that runs us. */
function doorsIn(home: string): string {
  const folder = join(home, 'bin')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [name, file] of Object.entries({ beckon: 'beckon.js', AskUserQuestion: 'ask-user-question.js' })) {
    const door = join(folder, name)
    const program = fileURLToPath(new URL(`../../bin/${file}`, import.meta.url))
    writeFileSync(door, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(program)} "$@"\n`)
    chmodSync(door, 0o700)
  }
  return folder
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function holderProgram(): string {
  return fileURLToPath(new URL('../supervisor/holder/main.js', import.meta.url))
}

const help = `
Everything the agent prints goes on to you, unchanged. When it prints a block that asks (beckon run --print-prompt tells
it how), the request is stored, every process of the run is stopped, and you are asked right here, or with beckon inbox,
beckon answer or any other way. The answer is written to the agent's stdin, and it goes on. An agent may also ask with
AskUserQuestion or beckon ask, which are on its PATH; then only that command waits.

Examples:
  beckon run -- python3 agent.py
  beckon run --name nightly --timeout none -- ./import.sh
  beckon run --print-prompt >>AGENTS.md

The exit code is the agent's own.`
