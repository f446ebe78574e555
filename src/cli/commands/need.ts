import { type Command, Option } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { type DependencyType, dependencyTypes, secretTypes } from '../../protocol/status.ts'
import { type AskingOptions, askAndWait, type Ending } from '../asking/ask-and-wait.ts'
import { deliver } from '../asking/deliver.ts'
import { openReference } from '../asking/open-reference.ts'
import { addAskingOptions } from '../asking/options.ts'
import type { Context } from '../context.ts'
import { askingExitCodes, exitCodes } from '../output/exit-codes.ts'
import { outcomeDocument } from '../output/outcome-document.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { beckonReporter } from '../output/reporter.ts'
import { requireExecutable, runCommand } from '../spawn-command.ts'

interface NeedOptions extends AskingOptions {
  json?: boolean
  description?: string
  ref?: string
}

export function registerNeed(program: Command, context: Context): void {
  const command = program
    .command('need')
    .summary('Ask for a key, a file or a permission, and run a command with it')
    .description('Asks a person for a dependency. A command after -- runs with the value in its environment, as NAME.')
    .usage('<type> <name> --description <text> [options] [-- command...]')
    .argument('<type>', dependencyTypes.join(', '))
    .argument('<name>', 'its name; with a command, the name of the environment variable')
    .argument('[command...]', 'the command to run, after --')
    .option('--description <text>', 'what it is for, and where to find it')
    .addOption(
      new Option('--ref <reference>', 'use the value of this reference instead of asking').conflicts('description'),
    )
  addAskingOptions(command)
    .addHelpText('after', help)
    .action(async (type: string, name: string, words: string[], options: NeedOptions) => {
      context.exitCode = await need(context, readType(type), name, words, options)
    })
}

async function need(
  context: Context,
  type: DependencyType,
  name: string,
  command: string[],
  options: NeedOptions,
): Promise<number> {
  if (command.length > 0) checkCommand(context, name, command)
  const { json = false, ref, description } = options
  if (ref !== undefined) {
    if (command.length === 0) throw invalid([{ path: 'ref', message: 'needs a command after --' }])
    return openReference(context, ref, (hub, request) => useAndRun(context, hub, request, { name, command, json }))
  }
  if (description === undefined)
    throw invalid([{ path: 'description', message: 'is missing; say what the value is for' }])

  const reporter = beckonReporter(json)
  return askAndWait(context, {
    input: { kind: 'dependency', type, name, description },
    options,
    reporter,
    onSettled: (hub, request) => {
      if (request.status !== 'answered') return deliver(context, hub, request, reporter)
      if (command.length > 0) return useAndRun(context, hub, request, { name, command, json })
      return secretTypes.includes(type)
        ? deliver(context, hub, request, reporter)
        : useAndPrint(context, hub, request, json)
    },
  })
}

/** Uses the value and runs the command with it. From here on the value exists in that process's environment alone. */
async function useAndRun(
  context: Context,
  hub: HubApi,
  request: Request,
  { name, command, json }: { name: string; command: string[]; json: boolean },
): Promise<Ending> {
  const used = await use(hub, request)
  if (request.run !== null && request.run === context.env.BECKON_RUN) await untilLogRedacts(context, request)
  return async () => {
    const exitCode = await runCommand(context, command, { [name]: used.value ?? '' }, { stdoutToStderr: json })
    if (json) await printJson(context.stdout, { ...outcomeDocument(used.request), exitCode })
    return exitCode
  }
}

/** The command's output goes into the log of the run, which must know the secret first to redact it. */
async function untilLogRedacts({ env }: Context, { run, id }: Request): Promise<void> {
  const { homeOf } = await import('../../system/home.ts')
  const { waitUntilRedacted } = await import('../../supervisor/opened-secrets.ts')
  await waitUntilRedacted(homeOf(env), run ?? '', id)
}

async function useAndPrint(context: Context, hub: HubApi, request: Request, json: boolean): Promise<number> {
  const { request: used, value } = await use(hub, request)
  try {
    await (json ? printJson(context.stdout, outcomeDocument(used, value)) : print(context.stdout, `${value ?? ''}\n`))
    return exitCodes.fine
  } catch {
    context.stderr.write(`beckon: The value of ${request.id} was used, but could not be written. Ask again.\n`)
    return exitCodes.invalid
  }
}

/** Inside a run, a value lives as long as the run: when the run is started again, it gets the value again. */
function use(hub: HubApi, request: Request) {
  return hub.use(request.id, { again: request.run !== null })
}

function checkCommand(context: Context, name: string, command: readonly string[]): void {
  if (!context.args.includes('--')) throw invalid([{ path: 'command', message: 'must come after --' }])
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw invalid([{ path: 'name', message: 'must be a valid name for an environment variable, such as STRIPE_KEY' }])
  }
  requireExecutable(context, command[0] ?? '')
}

function readType(source: string): DependencyType {
  const type = dependencyTypes.find(known => known === source)
  if (type) return type
  throw invalid([{ path: 'type', message: `must be one of: ${dependencyTypes.join(', ')}` }])
}

const help = `
A secret (api_key, env_variable, service) is never printed. Without a command, its reference is printed, and --ref gives
the value to a later command. A file, permission or package is printed. After exit 75, run the same command again: it
takes up the open request.

Examples:
  beckon need api_key STRIPE_KEY --description "a test key, from the dashboard" -- npm test
  beckon need file SCHEMA --description "the schema to migrate to"
  beckon need permission DEPLOY --description "may I deploy to staging?" && ./deploy staging
  beckon need api_key STRIPE_KEY --ref ref_01jz… -- npm test
${askingExitCodes}
  With a command, the command's own exit code (128 + n when a signal ended it).`
