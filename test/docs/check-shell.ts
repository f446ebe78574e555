import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { operations } from '../../src/protocol/operations/index.ts'
import { bodies, queries } from '../../src/protocol/operations/schemas.ts'
import { programWith } from '../cli/program.ts'
import { root } from './blocks.ts'
import { placeholder, shellCommands } from './shell-commands.ts'

/** What is wrong with a block of shell code: its syntax, a command or flag of ours that does not exist, a call of the API. */
export async function checkShell(block: string): Promise<string[]> {
  const { commands, errors } = shellCommands(block)
  const problems = [...errors]
  for (const words of commands) problems.push(...(await checkCommand(words)))
  return problems
}

async function checkCommand([name, ...args]: readonly string[]): Promise<string[]> {
  if (name === 'npx') return args[0] === 'beckon' ? checkCommand(args) : []
  if (name === 'beckon') return checkBeckon(args)
  if (name === 'AskUserQuestion') return checkAskUserQuestion(args)
  if (name === 'npm') return checkNpm(args)
  if (name === 'curl') return checkCurl(args)
  return []
}

/** Parsed by the real definitions of the commands, whose actions are taken away. */
async function checkBeckon(args: readonly string[]): Promise<string[]> {
  const { program } = programWith([...args], {})
  for (const command of withSubcommands(program)) if (hasAction(command)) command.action(() => {})
  try {
    await program.parseAsync([...args], { from: 'user' })
    return []
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const printsHelp = /^commander\.(help|version)/.test(code ?? '')
    return printsHelp && args.length === 0 ? [] : [`beckon ${args.join(' ')}: ${message}`]
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

function hasAction(command: Command): boolean {
  return (command as unknown as { _actionHandler: unknown })._actionHandler !== null
}

const askUserQuestionFlags = ['-', '--file', '--wait', '--async', '--help']

function checkAskUserQuestion([first = '']: readonly string[]): string[] {
  if (askUserQuestionFlags.includes(first)) return []
  return isJson(first) ? [] : [`AskUserQuestion ${first}: neither JSON nor one of ${askUserQuestionFlags.join(', ')}`]
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const ownScripts = ['test', 'start']

/** `npm run` of a script of ours; pages also show projects of other people, whose scripts are `import` and `build`. */
function checkNpm([verb = '', name = '']: readonly string[]): string[] {
  const script = verb === 'run' ? name : ownScripts.includes(verb) ? verb : null
  const isOurs = script !== null && (ownScripts.includes(script) || /^(check|bench|test:|dev:)/.test(script))
  return isOurs && !(script in scripts) ? [`npm ${verb} ${name}: there is no such script`] : []
}

/** A call of the API by curl: its method and path are in the table, its query and its body fit the schemas. */
function checkCurl(args: readonly string[]): string[] {
  const url = args.find(arg => /\/(api\/|mcp|healthz|readyz|metrics)/.test(arg))
  if (url === undefined) return []
  const [path = '', search = ''] = url.replace(/^.*?(?=\/(?:api\/|mcp|healthz|readyz|metrics))/, '').split('?')
  const data = flagValue(args, '-d', '--data', '--data-binary', '--json')
  const method = flagValue(args, '-X', '--request') ?? (data === null ? 'GET' : 'POST')
  const operation = operations.find(entry => entry.method === method && patternOf(entry.path).test(path))
  if (!operation) return [`curl: the API has no ${method} ${path}`]
  const call = `${method} ${path}`
  const problems: string[] = []
  if (search) {
    const schema = operation.query ? queries[operation.query as keyof typeof queries] : null
    const checked = schema?.safeParse(valuesOf(search))
    if (!checked?.success) problems.push(`curl: ${call}: the query ${search} does not fit: ${checked?.error.message}`)
  }
  if (data === null || operation.body === 'bytes' || data.startsWith('@') || data.includes(placeholder)) return problems
  if (!isJson(data)) return [...problems, `curl: ${call}: the body is not JSON: ${data}`]
  const body = bodies[operation.body as keyof typeof bodies]?.safeParse(JSON.parse(data))
  return body && !body.success ? [...problems, `curl: ${call}: the body does not fit: ${body.error.message}`] : problems
}

function flagValue(args: readonly string[], ...flags: string[]): string | null {
  const at = args.findIndex(arg => flags.includes(arg))
  return at < 0 ? null : (args[at + 1] ?? '')
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
}

/** What the shell fills in is taken for a number, which is also a text. */
function valuesOf(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search.replaceAll(placeholder, '1')))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
