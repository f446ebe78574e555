import { type BadCall, badUsage, missingJson } from './bad-call.ts'

export type Call = { verb: 'help' } | WaitCall | AskCall

export interface WaitCall {
  verb: 'wait'
  id: string
}

export interface AskCall {
  verb: 'ask'
  source: Source
  async: boolean
  plain: boolean
  /** `--no-human`: what to do when nobody can be asked; true when the flag was not given. */
  human: true | 'fail' | 'park'
}

export type Source = { text: string; pieces: number } | { file: string }

/** Parsed by hand: that needs no import, and joins JSON that the shell split into several arguments. */
export function readArguments(args: readonly string[]): Call {
  const { flags, text } = separate(args)
  if (flags.has('--help')) return { verb: 'help' }
  const id = flags.get('--wait')
  if (id !== undefined) {
    if (flags.size > 1 || text.length > 0) throw badUsage('--wait takes an id and nothing else')
    return { verb: 'wait', id }
  }
  return {
    verb: 'ask',
    source: sourceOf(flags.get('--file'), text),
    async: flags.has('--async'),
    plain: flags.has('--plain'),
    human: readHuman(flags.get('--no-human')),
  }
}

const aliases: Record<string, string> = { '-h': '--help' }
const switches = ['--help', '--async', '--plain']
const withValue = ['--file', '--wait', '--no-human']

function separate(args: readonly string[]): { flags: Map<string, string>; text: string[] } {
  const flags = new Map<string, string>()
  const text: string[] = []
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    if (arg === '--' && text.length === 0) return { flags, text: args.slice(i + 1) }
    if (!isFlag(arg, text)) text.push(arg)
    else {
      const [name, given] = split(arg)
      const takesNext = withValue.includes(name) && given === undefined
      if (takesNext) i += 1
      set(name, takesNext ? args[i] : given)
    }
  }
  return { flags, text }

  function set(name: string, value: string | undefined) {
    if (flags.has(name)) throw badUsage(`${name} is given twice`)
    if (!switches.includes(name) && !withValue.includes(name)) throw unknown(name)
    if (withValue.includes(name) && !value) throw badUsage(`${name} needs a value`)
    if (switches.includes(name) && value !== undefined) throw badUsage(`${name} takes no value`)
    flags.set(name, value ?? '')
  }
}

/** Repeats the name only if it looks like a flag: it may be anything, even a secret. */
function unknown(name: string): BadCall {
  return badUsage(/^--?[a-z-]{1,40}$/i.test(name) ? `Unknown option ${name}` : 'Unknown option')
}

/** An apostrophe in single quotes makes the shell split the JSON: until the JSON is complete, nothing in it is a flag. */
function isFlag(arg: string, text: readonly string[]): boolean {
  if (!arg.startsWith('-') || arg === '-') return false
  const last = text.at(-1)
  return last === undefined || last === '-' || /\}['"]?\s*$/.test(last)
}

function split(arg: string): [string, string | undefined] {
  const [, name = arg, value] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? []
  return [aliases[name] ?? name, value]
}

function sourceOf(file: string | undefined, text: readonly string[]): Source {
  if (file !== undefined) {
    if (text.length > 0) throw badUsage('Give the JSON or --file, not both')
    return { file }
  }
  if (text.length === 1 && text[0] === '-') return { file: '-' }
  const joined = text.join(' ')
  if (joined.trim() === '') throw missingJson()
  return { text: joined, pieces: text.length }
}

function readHuman(what: string | undefined): AskCall['human'] {
  if (what === undefined) return true
  if (what === 'fail' || what === 'park') return what
  throw badUsage('--no-human must be fail or park')
}
