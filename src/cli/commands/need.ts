import { type Command, Option } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import { type DependencyType, neededTypes } from '../../protocol/status.ts'
import { type AskingOptions, askAndWait } from '../asking/ask-and-wait.ts'
import { openReference } from '../asking/open-reference.ts'
import { addAskingOptions } from '../asking/options.ts'
import type { Context } from '../context.ts'
import { carryOut, checkCommand, useAndRun } from '../need/carry-out.ts'
import { resumeNeed } from '../need/resume.ts'
import { askingExitCodes } from '../output/exit-codes.ts'
import { beckonReporter } from '../output/reporter.ts'
import { IdOption } from '../short-ids/arguments.ts'

interface NeedOptions extends AskingOptions {
  json?: boolean
  description?: string
  ref?: string
  resume?: string
}

export function registerNeed(program: Command, context: Context): void {
  const command = program
    .command('need')
    .summary('Ask for a key, a file or a permission, and run a command with it')
    .description('Asks a person for a dependency. A command after -- runs with the value in its environment, as NAME.')
    .usage('<type> <name> --description <text> [options] [-- command...] | --resume <id> [-- command...]')
    .argument('[type]', neededTypes.join(', '))
    .argument('[name]', 'its name; with a command, the name of the environment variable')
    .argument('[command...]', 'the command to run, after --')
    .option('--description <text>', 'what it is for, and where to find it')
    .addOption(
      new Option('--ref <reference>', 'use the value of this reference instead of asking').conflicts('description'),
    )
    .addOption(
      new IdOption(
        '--resume <id>',
        'go on with a dependency that was asked before, where it was asked',
        'request',
      ).conflicts([...['description', 'ref', 'optional', 'timeout', 'key', 'async', 'human']]),
    )
  addAskingOptions(command)
    .addHelpText('after', help)
    .action(async (type: string | undefined, name: string | undefined, words: string[], options: NeedOptions) => {
      if (options.resume === undefined) {
        context.exitCode = await need(context, readType(type), readName(name), words, options)
      } else {
        const given = [type, name, ...words].filter(word => word !== undefined)
        context.exitCode = await resumeNeed(context, options.resume, onlyCommand(context, given), options)
      }
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

  const reporter = beckonReporter(json, command)
  return askAndWait(context, {
    input: { kind: 'dependency', type, name, description },
    options,
    reporter,
    onSettled: (hub, request, told) => carryOut(context, hub, request, { type, name, command, json, reporter, told }),
  })
}

/** The words after --. The request has its type and name. */
function onlyCommand({ args }: Context, words: string[]): string[] {
  const separator = args.indexOf('--')
  if (words.length === 0 || (separator >= 0 && words.length === args.length - separator - 1)) return words
  throw invalid([{ path: '', message: '--resume takes no TYPE and NAME; a command comes after --' }])
}

function readName(name: string | undefined): string {
  if (name !== undefined) return name
  throw invalid([{ path: 'name', message: 'is missing; name what you need, such as STRIPE_KEY' }])
}

function readType(source: string | undefined): DependencyType {
  if (source === undefined) throw invalid([{ path: 'type', message: `is missing: ${neededTypes.join(', ')}` }])
  const type = neededTypes.find(known => known === source)
  if (type) return type
  throw invalid([{ path: 'type', message: `must be one of: ${neededTypes.join(', ')}` }])
}

const help = `
A secret (api_key, env_variable, service) is never printed. Without a command, its reference is printed, and --ref gives
the value to a later command. A file, permission or package is printed. After exit 75, --resume with the id of the
ticket takes up the request, in the directory it was asked in; so does the same command again.

Examples:
  beckon need api_key STRIPE_KEY --description "a test key, from the dashboard" -- npm test
  beckon need file SCHEMA --description "the schema to migrate to"
  beckon need permission DEPLOY --description "may I deploy to staging?" && ./deploy staging
  beckon need api_key STRIPE_KEY --ref ref_01jz… -- npm test
  beckon need --resume req_01jz… -- npm test
${askingExitCodes}
  With a command, the command's own exit code (128 + n when a signal ended it).`
